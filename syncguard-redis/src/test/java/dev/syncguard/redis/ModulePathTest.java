package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The module and its dependencies on a module path, as in an application that is made of modules. */
class ModulePathTest {

    private static final Pattern DEPENDENCY =
            Pattern.compile("(lettuce-core|netty|reactor-core|reactive-streams|redis-authx|slf4j-api)-.*");

    @Test
    @DisplayName("the module alone brings all that Lettuce needs to open a client")
    void opensClient() throws Exception {
        Path[] paths = Stream.of(
                        Stream.of(location(RedisFenceGuard.class), location(dev.syncguard.fence.FenceGuard.class)),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(Path::of)
                                .filter(path -> DEPENDENCY
                                        .matcher(path.getFileName().toString())
                                        .matches()))
                .flatMap(each -> each)
                .toArray(Path[]::new);
        Configuration modules = ModuleLayer.boot()
                .configuration()
                .resolve(ModuleFinder.of(paths), ModuleFinder.of(), Set.of("dev.syncguard.redis"));
        ClassLoader loader = ModuleLayer.defineModulesWithOneLoader(
                        modules, List.of(ModuleLayer.boot()), ClassLoader.getPlatformClassLoader())
                .layer()
                .findLoader("dev.syncguard.redis");

        Class<?> guard = loader.loadClass(RedisFenceGuard.class.getName());
        assertThat(guard.getModule().getName()).isEqualTo("dev.syncguard.redis");
        Class<?> client = loader.loadClass("io.lettuce.core.RedisClient");
        Object opened = client.getMethod("create").invoke(null);
        client.getMethod("shutdown").invoke(opened);
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
