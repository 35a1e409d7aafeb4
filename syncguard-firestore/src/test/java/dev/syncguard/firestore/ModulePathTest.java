package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.application.FencedApplication;
import dev.syncguard.fence.FenceGuard;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The module on a module path, with those of Google's jars that the README names; more of them Java refuses. */
@Tag("once") // the oldest client's gRPC has other module names
class ModulePathTest {

    private static final Pattern NAMED =
            Pattern.compile("(google-cloud-firestore-[0-9]|google-cloud-core-[0-9]|gax-[0-9]"
                    + "|api-common-|guava-|failureaccess-|grpc-api-).*");

    @Test
    @Timeout(120)
    @DisplayName("an application with this module on its module path locks and writes behind the guard")
    void runs() throws Exception {
        String classPath = System.getProperty("java.class.path");
        String modulePath = Stream.concat(
                        Stream.of(location(FirestoreFenceGuard.class), location(FenceGuard.class)),
                        Stream.of(classPath.split(File.pathSeparator))
                                .filter(path -> NAMED.matcher(
                                                Path.of(path).getFileName().toString())
                                        .matches()))
                .collect(Collectors.joining(File.pathSeparator));
        try (FirestoreServer server = FirestoreServer.start()) {
            Process application = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-p",
                            modulePath,
                            "--add-modules",
                            "dev.syncguard.firestore",
                            "-cp",
                            classPath,
                            FencedApplication.class.getName(),
                            server.hostAndPort())
                    .redirectErrorStream(true)
                    .start();
            try {
                String output = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

                assertThat(output).contains("module dev.syncguard.firestore, fence 000000000000001");
                assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                application.destroyForcibly();
            }
        }
    }

    private static String location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
