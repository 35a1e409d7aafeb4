package dev.syncguard.spring.boot;

import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresLockBackendBuilder;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spring.boot.PostgresProperties.SchemaMode;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Locks in PostgreSQL: by URL, or in the database of the application's pool. */
final class PostgresBackendSource implements BackendSource {

    private final SyncGuardProperties common;
    private final PostgresProperties properties;
    private final ConfigurableListableBeanFactory beans;

    PostgresBackendSource(
            SyncGuardProperties common, PostgresProperties properties, ConfigurableListableBeanFactory beans) {
        this.common = common;
        this.properties = properties;
        this.beans = beans;
    }

    @Override
    public String name() {
        return StoreModule.POSTGRES.source();
    }

    @Override
    public boolean accepts(String url) {
        return StoreModule.POSTGRES.accepts(url);
    }

    @Override
    public LockBackend open(String url) {
        OwnedPool pool = OwnedPool.open(url);
        try {
            return new OwnedBackend(build(pool.dataSource()), pool::close);
        } catch (Throwable e) {
            pool.close();
            throw e;
        }
    }

    @Override
    public BeanCandidates beans() {
        return BeanCandidates.of(beans, DataSource.class);
    }

    @Override
    public LockBackend use(String bean) {
        return build(dataSource(bean));
    }

    private LockBackend build(DataSource dataSource) {
        PostgresNames names = properties.names();
        prepare(dataSource, names);
        PostgresLockBackendBuilder builder = PostgresLockBackend.builder(dataSource);
        new Settings<>("syncguard", builder)
                .set("command-timeout", common.commandTimeout(), PostgresLockBackendBuilder::commandTimeout)
                .set("fence-mode", common.fenceMode(), PostgresLockBackendBuilder::fenceMode)
                .set("cleanup-in-is-locked", common.cleanupInIsLocked(), PostgresLockBackendBuilder::cleanupInIsLocked)
                .flag(common.strict(), PostgresLockBackendBuilder::strict);
        return new Settings<>("syncguard.postgres", builder)
                .set("listen-on", properties.listenOn(), (self, bean) -> self.listenOn(listening(bean)))
                .flag(properties.pollOnly(), PostgresLockBackendBuilder::pollOnly)
                .flag(properties.assumeNoOtherLibrary(), PostgresLockBackendBuilder::assumeNoOtherLibrary)
                .value()
                .names(names)
                .build();
    }

    private void prepare(DataSource dataSource, PostgresNames names) {
        if (properties.initializeSchema() == SchemaMode.CREATE) {
            PostgresSchema.create(dataSource, names);
        } else if (properties.initializeSchema() == SchemaMode.CHECK) {
            List<String> missing = PostgresSchema.check(dataSource, names);
            if (!missing.isEmpty()) {
                throw new BackendChoiceException(
                        "The database is not ready to hold locks: " + String.join("; ", missing) + ".",
                        "Set syncguard.postgres.initialize-schema=create, or run these statements in a migration:\n\n"
                                + PostgresSchema.script(names));
            }
        }
    }

    private DataSource listening(String bean) {
        if (!beans().all().contains(bean)) {
            throw new InvalidSettingException(
                    "syncguard.postgres.listen-on", "there is no DataSource bean named '" + bean + "'");
        }
        return dataSource(bean);
    }

    private DataSource dataSource(String bean) {
        DataSource dataSource = beans.getBean(bean, DataSource.class);
        return TransactionAware.PRESENT ? TransactionAware.unwrap(dataSource) : dataSource;
    }
}
