package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spring.Locked;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

class NativeHintsTest {

    @ParameterizedTest
    @ValueSource(classes = {RedisLockBackend.class, PostgresLockBackend.class})
    @DisplayName("every script and statement of a store is kept")
    void resources(Class<?> backend) throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new SyncGuardRuntimeHints().registerHints(hints, getClass().getClassLoader());
        String directory = backend.getPackageName().replace('.', '/');
        List<String> files = new ArrayList<>();
        for (Resource file :
                new PathMatchingResourcePatternResolver().getResources("classpath*:" + directory + "/*.*")) {
            URL url = file.getURL();
            String name = url.getPath().substring(url.getPath().lastIndexOf('/') + 1);
            if (!name.endsWith(".class")) {
                files.add(directory + "/" + name);
            }
        }

        assertThat(files)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(RuntimeHintsPredicates.resource().forResource(file))
                        .accepts(hints));
    }

    @Test
    @DisplayName(
            "an application with a locked method is processed ahead of time, and its method, fallback and key are kept")
    void lockedMethods() {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("dev.example", "Application")), new InMemoryGeneratedFiles());
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(App.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        RuntimeHints hints = generation.getRuntimeHints();

        assertThat(kept(hints, Orders.class)).contains("charge", "later");
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Order.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
    }

    /** The predicate of methods has another name in each line of Spring. */
    private static List<String> kept(RuntimeHints hints, Class<?> type) {
        return hints.reflection()
                .getTypeHint(type)
                .methods()
                .map(ExecutableHint::getName)
                .toList();
    }

    static class Order {

        public String getNumber() {
            return "a-1";
        }
    }

    static class Orders {

        @Locked(key = "#order.number", fallback = "later")
        public void charge(Order order) {}

        void later(Order order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @LocksInMemory
    static class App {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }
}
