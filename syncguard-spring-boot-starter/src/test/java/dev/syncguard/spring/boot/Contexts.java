package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.boot.Banner.Mode;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** Application contexts, whatever line of Spring Boot is there. */
public final class Contexts {

    private Contexts() {}

    /** Starts an application; the caller closes it. */
    public static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Mode.OFF)
                .logStartupInfo(false)
                .properties(properties)
                .run();
    }

    /** Runs a test while another client holds a lock. */
    public static void whileHeld(SyncGuard guard, String key, ThrowingCallable test) {
        Lease held = guard.acquire(key);
        try {
            assertThatCode(test).doesNotThrowAnyException();
        } finally {
            held.close();
        }
    }

    /** Returns the fence of a lock, which is free afterwards: a stop would wait for it. */
    public static long fence(SyncGuard guard, String key) {
        Lease lease = guard.acquire(key);
        lease.close();
        return lease.fence().value();
    }

    /** Lets a lease expire while it is held. */
    public static void expire(Lease lease) {
        try {
            lease.extend(Duration.ofMillis(1));
        } catch (LockException answeredTooLate) {
            // By then it has expired.
        }
        await().until(() -> !lease.isValid());
    }

    /** Returns an application with locks and nothing else. */
    public static ApplicationContextRunner locks() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SyncGuardAutoConfiguration.class));
    }

    /** Returns an application whose locks are kept in this process. */
    public static ApplicationContextRunner inMemory() {
        return locks().withPropertyValues("syncguard.backend=memory:");
    }

    private static final List<String> REDIS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration");

    private static final List<String> JDBC = List.of(
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration");

    /** Returns Spring Boot's configuration of Redis. */
    public static AutoConfigurations redis() {
        return existing(REDIS.toArray(String[]::new));
    }

    /** Returns Spring Boot's configuration of a pool, with transactions. */
    public static AutoConfigurations jdbc() {
        return existing(JDBC.toArray(String[]::new));
    }

    static Stream<String> jdbcClasses() {
        return JDBC.stream().filter(name -> ClassUtils.isPresent(name, null));
    }

    /** Returns the auto-configurations with these names that exist in this line. */
    public static AutoConfigurations existing(String... names) {
        Class<?>[] found = Stream.of(names)
                .filter(name -> ClassUtils.isPresent(name, null))
                .map(name -> ClassUtils.resolveClassName(name, null))
                .toArray(Class<?>[]::new);
        if (found.length == 0) {
            throw new IllegalStateException("none of these auto-configurations exists");
        }
        return AutoConfigurations.of(found);
    }
}
