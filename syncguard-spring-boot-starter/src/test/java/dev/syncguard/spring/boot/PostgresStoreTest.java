package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

class PostgresStoreTest {

    private static final String CREATE = "syncguard.postgres.initialize-schema=create";

    @Test
    @DisplayName("the pool of Spring Boot leads to its database; the tables are created where the property says so")
    void pool() {
        application()
                .withPropertyValues(CREATE, "syncguard.postgres.schema=spring_pool", "syncguard.postgres.locks-table=l")
                .run(context -> {
                    Contexts.whileHeld(
                            context.getBean(SyncGuard.class),
                            "a",
                            () -> assertThat(context.getBean(JdbcTemplate.class)
                                            .queryForObject("SELECT count(*) FROM spring_pool.l", Integer.class))
                                    .isEqualTo(1));
                });
    }

    @Test
    @DisplayName("missing tables stop the start with the statements that create them")
    void check() {
        application()
                .withPropertyValues("syncguard.postgres.schema=spring_nothing")
                .run(context -> {
                    assertThat(BackendChoiceTest.analysis(context).getDescription())
                            .startsWith("The database is not ready to hold locks: ");
                    assertThat(BackendChoiceTest.analysis(context).getAction())
                            .startsWith("Set syncguard.postgres.initialize-schema=create, or run these statements")
                            .contains("CREATE TABLE", "spring_nothing");
                });
    }

    @Test
    @DisplayName("without a check the database is not contacted at the start")
    void never() {
        Contexts.locks()
                .withPropertyValues(
                        "syncguard.backend=jdbc:postgresql://127.0.0.1:1/none",
                        "syncguard.postgres.initialize-schema=never")
                .run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
    }

    @Test
    @DisplayName("a URL leads to its database without any bean")
    void url() {
        Contexts.locks()
                .withPropertyValues(
                        "syncguard.backend=" + PostgresServer.sharedUrl(),
                        CREATE,
                        "syncguard.postgres.schema=spring_url",
                        "syncguard.postgres.assume-no-other-library=true",
                        "syncguard.postgres.poll-only=true")
                .run(context -> assertThat(Contexts.fence(context.getBean(SyncGuard.class), "a"))
                        .isPositive());
    }

    @Test
    @DisplayName("a name that PostgreSQL would cut off is refused by the property")
    void badName() {
        application()
                .withPropertyValues("syncguard.postgres.locks-table=drop table")
                .run(context -> assertThat(BackendChoiceTest.analysis(context).getDescription())
                        .startsWith("syncguard.postgres: "));
        application()
                .withPropertyValues(
                        CREATE, "syncguard.postgres.schema=spring_pool", "syncguard.postgres.listen-on=nobody")
                .run(context -> assertThat(BackendChoiceTest.analysis(context).getDescription())
                        .isEqualTo("syncguard.postgres.listen-on: there is no DataSource bean named 'nobody'"));
    }

    @Test
    @DisplayName("a lock is no part of the transaction, also behind a source that hands out its connection")
    void transactionAware() {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setUrl(PostgresServer.sharedUrl());
        Contexts.locks()
                .withBean(DataSource.class, () -> new TransactionAwareDataSourceProxy(direct))
                .withPropertyValues(CREATE, "syncguard.postgres.schema=spring_aware")
                .run(context -> {
                    SyncGuard guard = context.getBean(SyncGuard.class);
                    List<Lease> leases = new ArrayList<>();
                    new TransactionTemplate(new DataSourceTransactionManager(direct)).executeWithoutResult(status -> {
                        leases.add(guard.acquire("a"));
                        status.setRollbackOnly();
                    });
                    assertThat(guard.isLocked("a")).isTrue();
                    leases.forEach(Lease::close);
                });
    }

    private static ApplicationContextRunner application() {
        return Contexts.locks()
                .withConfiguration(Contexts.jdbc())
                .withPropertyValues("spring.datasource.url=" + PostgresServer.sharedUrl());
    }
}
