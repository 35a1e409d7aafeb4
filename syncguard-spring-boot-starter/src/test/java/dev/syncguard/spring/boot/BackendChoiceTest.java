package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.SyncGuard;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class BackendChoiceTest {

    private static final String NEVER = "syncguard.postgres.initialize-schema=never";

    @Test
    @DisplayName("a store in this process is chosen by its URL")
    void memory() {
        Contexts.inMemory().run(context -> {
            assertThat(context).hasSingleBean(SyncGuard.class);
            assertThat(context.getBean(SyncGuard.class).capabilities().backend())
                    .isEqualTo("memory");
        });
    }

    @Test
    @DisplayName("a file is chosen by its URL")
    void file(@TempDir Path directory) {
        Contexts.locks()
                .withPropertyValues("syncguard.backend=sqlite:" + directory.resolve("locks.db"))
                .run(context -> assertThat(Contexts.fence(context.getBean(SyncGuard.class), "a"))
                        .isEqualTo(1));
    }

    @Test
    @DisplayName("the only bean that leads to a store is used without any property")
    void onlyBean() {
        withDataSource(Contexts.locks(), "pool")
                .withPropertyValues(NEVER)
                .run(context -> assertThat(context.getBean(LockBackend.class)).isInstanceOf(PostgresLockBackend.class));
    }

    @Test
    @DisplayName("two kinds of beans and no choice: the start fails and says how to choose")
    void ambiguous() {
        withRedis(withDataSource(Contexts.locks(), "pool"), "redisConnectionFactory")
                .run(context -> assertThat(analysis(context))
                        .satisfies(it -> assertThat(it.getDescription())
                                .isEqualTo("2 candidate backends could keep the locks: redis (RedisConnectionFactory"
                                        + " redisConnectionFactory), postgres (DataSource pool)."))
                        .satisfies(it -> assertThat(it.getAction())
                                .isEqualTo(
                                        "Choose by setting syncguard.backend=redis or syncguard.backend=postgres.")));
    }

    @Test
    @DisplayName("two kinds of beans: the property chooses")
    void chosen() {
        withRedis(withDataSource(Contexts.locks(), "pool"), "redisConnectionFactory")
                .withPropertyValues("syncguard.backend=postgres", NEVER)
                .run(context -> assertThat(context.getBean(LockBackend.class)).isInstanceOf(PostgresLockBackend.class));
    }

    @Test
    @DisplayName("two beans of one kind and no choice: the start fails and names both")
    void twoPools() {
        withDataSource(withDataSource(Contexts.locks(), "orders"), "archive").run(context -> {
            assertThat(analysis(context).getDescription())
                    .isEqualTo("The locks could be kept with any of 2 beans of type DataSource: orders, archive.");
            assertThat(analysis(context).getAction()).contains("syncguard.bean");
        });
    }

    @Test
    @DisplayName("two beans of one kind: the property, or the primary one")
    void namedOrPrimary() {
        ApplicationContextRunner two = withDataSource(withDataSource(Contexts.locks(), "orders"), "archive")
                .withPropertyValues(NEVER);
        two.withPropertyValues("syncguard.bean=archive")
                .run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
        two.withBean("main", DataSource.class, PGSimpleDataSource::new, definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
        two.withPropertyValues("syncguard.bean=orderz")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("no bean named 'orderz'", "DataSource"));
        two.withPropertyValues("syncguard.bean=orderz", "syncguard.backend=postgres")
                .run(context -> assertThat(analysis(context).getDescription())
                        .isEqualTo("syncguard.bean: there is no DataSource bean named 'orderz'"));
    }

    @Test
    @DisplayName("a bean that is no candidate for injection is none here")
    void notAutowired() {
        withDataSource(Contexts.locks(), "pool")
                .withBean(
                        "replica",
                        DataSource.class,
                        PGSimpleDataSource::new,
                        definition -> definition.setAutowireCandidate(false))
                .withPropertyValues(NEVER)
                .run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
    }

    @Test
    @DisplayName("no store at all: the start fails and says what to set or add")
    void none() {
        Contexts.locks().run(context -> {
            assertThat(analysis(context).getDescription())
                    .startsWith("There is no store to keep locks in")
                    .contains("RedisConnectionFactory, DataSource, Firestore");
            assertThat(analysis(context).getAction())
                    .contains("Set syncguard.backend to a URL (redis://HOST")
                    .contains("syncguard.enabled=false");
        });
    }

    @Test
    @DisplayName("a missing module is named")
    void missingModules() {
        Contexts.locks()
                .withClassLoader(new FilteredClassLoader(RedisLockBackend.class, FirestoreLockBackend.class))
                .run(context -> assertThat(analysis(context).getAction())
                        .contains("add dev.syncguard:syncguard-redis or dev.syncguard:syncguard-firestore")
                        .doesNotContain("syncguard-postgres"));
        Contexts.locks()
                .withClassLoader(new FilteredClassLoader(RedisLockBackend.class))
                .withPropertyValues("syncguard.backend=redis://localhost")
                .run(context ->
                        assertThat(analysis(context).getAction()).startsWith("Add dev.syncguard:syncguard-redis"));
        Contexts.locks()
                .withClassLoader(new FilteredClassLoader(SqliteLockBackend.class, PostgresLockBackend.class))
                .withPropertyValues("syncguard.backend=postgres")
                .run(context ->
                        assertThat(analysis(context).getAction()).startsWith("Add dev.syncguard:syncguard-postgres"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "memory", "sqlite", "Redis"})
    @DisplayName("an unknown name is refused with the allowed ones")
    void unknownName(String name) {
        Contexts.locks()
                .withPropertyValues("syncguard.backend=" + name)
                .run(context -> assertThat(analysis(context).getDescription())
                        .isEqualTo("syncguard.backend: '" + name
                                + "' is no store; use redis, postgres or firestore for a bean of the application, or a"
                                + " URL: redis://HOST, rediss://HOST, redis-sentinel://HOST#PRIMARY,"
                                + " jdbc:postgresql://HOST/DATABASE, sqlite:PATH, firestore://PROJECT or memory:"));
    }

    @ParameterizedTest
    @CsvSource({
        "mongodb://host:secret@host/db, this URL leads to no store; use redis://HOST",
        "jdbc:mysql://host/db?password=secret, this URL leads to no store; use redis://HOST",
        "postgresql://user:secret@host/db, this URL leads to no store; use redis://HOST",
        "jdbc:postgresql://host:secret/db, the driver refuses this URL",
        "redis:/secret, redis",
        "firestore://a/secret, needs the id of a project",
        "sqlite:, needs the path of a file"
    })
    @DisplayName("a bad URL is refused by the name of the property, without its text")
    void badUrl(String url, String reason) {
        Contexts.locks().withPropertyValues("syncguard.backend=" + url).run(context -> {
            assertThat(analysis(context).getDescription())
                    .startsWith("syncguard.backend: ")
                    .contains(reason)
                    .doesNotContain("secret");
            assertThat(analysis(context).getAction()).isEqualTo("Change the property syncguard.backend.");
        });
    }

    @Test
    @DisplayName("a kind that is named but has no bean")
    void noBeanOfThatKind() {
        Contexts.locks()
                .withPropertyValues("syncguard.backend=redis")
                .run(context -> assertThat(analysis(context).getDescription())
                        .isEqualTo("syncguard.backend=redis needs a bean of type RedisConnectionFactory, and there is"
                                + " none."));
    }

    @Test
    @DisplayName("a connection factory with a fixed list of replicas is refused: it does not follow a failover")
    void staticReplicas() {
        Contexts.locks()
                .withBean(
                        RedisConnectionFactory.class,
                        () -> new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("localhost", 1)))
                .run(context -> assertThat(analysis(context).getDescription()).contains("fixed list"));
    }

    @Test
    @DisplayName("a backend or a guard of the application takes precedence")
    void ownBeans() {
        Contexts.locks()
                .withBean(LockBackend.class, MemoryLockBackend::new)
                .run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
        SyncGuard own = SyncGuard.of(new MemoryLockBackend());
        Contexts.locks()
                .withBean(SyncGuard.class, supplierOf(own))
                .run(context -> assertThat(context.getBean(SyncGuard.class)).isSameAs(own));
    }

    @Test
    @DisplayName("locks can be switched off")
    void disabled() {
        Contexts.locks()
                .withPropertyValues("syncguard.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SyncGuard.class));
    }

    private static <T> Supplier<T> supplierOf(T value) {
        return () -> value;
    }

    static ApplicationContextRunner withDataSource(ApplicationContextRunner runner, String name) {
        return runner.withBean(name, DataSource.class, PGSimpleDataSource::new);
    }

    static ApplicationContextRunner withRedis(ApplicationContextRunner runner, String name) {
        return runner.withBean(name, RedisConnectionFactory.class, LettuceConnectionFactory::new);
    }

    static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new StartFailureAnalyzer().analyze(context.getStartupFailure());
        assertThat(analysis).as("of %s", context.getStartupFailure()).isNotNull();
        return analysis;
    }
}
