package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.RedisServer;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/** Locks in a real Redis with a password, at the end of all the ways that lead there. */
class RedisStoreTest {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        server.command("CONFIG", "SET", "requirepass", "secret");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    @DisplayName("the connection factory of Spring Boot leads to its server, with its password and database")
    void factory() {
        application()
                .withPropertyValues("spring.data.redis.database=3", "syncguard.redis.key-prefix=billing")
                .run(context -> {
                    SyncGuard guard = context.getBean(SyncGuard.class);
                    Lease lease = guard.acquire("a");
                    RedisConnectionFactory factory = context.getBean(RedisConnectionFactory.class);
                    try (var connection = factory.getConnection()) {
                        assertThat(connection.keyCommands().exists("billing:a".getBytes(StandardCharsets.UTF_8)))
                                .isTrue();
                    } finally {
                        lease.close();
                    }
                });
    }

    @Test
    @DisplayName("an outage is an error at once and an unhealthy store, and both end with it")
    void outage() {
        try (RedisServer own = RedisServer.start()) {
            application(own).run(context -> {
                SyncGuard guard = context.getBean(SyncGuard.class);
                StoreHealth health = new StoreHealth(guard);
                assertThat(health.ask().failure()).isNull();
                assertThat(health.ask().details())
                        .containsEntry("backend", "redis")
                        .containsKey("findings");
                own.kill();
                assertThatThrownBy(() -> guard.isLocked("a")).isInstanceOf(LockException.class);
                assertThat(health.ask().failure()).isNotNull();
                assertThat(health.ask().details()).containsKey("error");
                own.restart();
                await().until(() -> health.ask().failure() == null);
            });
        }
    }

    @Test
    @DisplayName("a URL leads to its server without any bean")
    void url() {
        Contexts.locks()
                .withPropertyValues("syncguard.backend=redis://:secret@127.0.0.1:" + server.port())
                .run(context -> assertThat(
                                context.getBean(SyncGuard.class).capabilities().backend())
                        .isEqualTo("redis"));
    }

    @Test
    @DisplayName(
            "connection details, as @ServiceConnection makes them, lead to their server whatever the properties say")
    void serviceConnection() {
        Class<?> details = Stream.of(
                        "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
                        "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails")
                .filter(name -> ClassUtils.isPresent(name, null))
                .map(name -> ClassUtils.resolveClassName(name, null))
                .findFirst()
                .orElseThrow();
        withDetails(runner().withPropertyValues("spring.data.redis.host=nowhere.invalid"), details)
                .run(context -> assertThat(context.getBean(SyncGuard.class).isLocked("a"))
                        .isFalse());
    }

    @SuppressWarnings("unchecked")
    private static <T> ApplicationContextRunner withDetails(ApplicationContextRunner runner, Class<T> details) {
        return runner.withBean("details", details, () -> (T) answering(
                details,
                "getStandalone",
                answering(
                        ClassUtils.resolveClassName(details.getName() + "$Standalone", null),
                        "getPort",
                        server.port())));
    }

    /** The type differs between the lines of Spring Boot, its methods do not. */
    private static Object answering(Class<?> type, String method, Object answer) {
        Map<String, Object> others = Map.of("getHost", "127.0.0.1", "getPassword", "secret", "getDatabase", 0);
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
            String name = called.getName();
            return name.equals(method) ? answer : name.equals("hashCode") ? (Object) 1 : others.get(name);
        });
    }

    private static ApplicationContextRunner application() {
        return application(server).withPropertyValues("spring.data.redis.password=secret");
    }

    private static ApplicationContextRunner application(RedisServer server) {
        return runner().withPropertyValues(
                        "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + server.port());
    }

    private static ApplicationContextRunner runner() {
        return Contexts.locks().withConfiguration(Contexts.redis());
    }
}
