package dev.syncguard.spring.boot;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.firestore.FirestoreLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Locks in Firestore: of a project, or with the application's client. */
final class FirestoreBackendSource implements BackendSource {

    private static final Pattern PROJECT = Pattern.compile("firestore:/*([a-zA-Z0-9.:_-]+)/*");

    private final SyncGuardProperties common;
    private final FirestoreProperties properties;
    private final ConfigurableListableBeanFactory beans;

    FirestoreBackendSource(
            SyncGuardProperties common, FirestoreProperties properties, ConfigurableListableBeanFactory beans) {
        this.common = common;
        this.properties = properties;
        this.beans = beans;
    }

    @Override
    public String name() {
        return StoreModule.FIRESTORE.source();
    }

    @Override
    public boolean accepts(String url) {
        return StoreModule.FIRESTORE.accepts(url);
    }

    @Override
    public LockBackend open(String url) {
        Matcher project = PROJECT.matcher(url);
        if (!project.matches()) {
            throw new LockException(Code.INVALID_ARGUMENT, "firestore:// needs the id of a project and nothing else");
        }
        Firestore client = FirestoreOptions.newBuilder()
                .setProjectId(project.group(1))
                .build()
                .getService();
        try {
            return new OwnedBackend(build(client), client::shutdownNow);
        } catch (Throwable e) {
            client.shutdownNow();
            throw e;
        }
    }

    @Override
    public BeanCandidates beans() {
        return BeanCandidates.of(beans, Firestore.class);
    }

    @Override
    public LockBackend use(String bean) {
        return build(beans.getBean(bean, Firestore.class));
    }

    private LockBackend build(Firestore client) {
        FirestoreLockBackendBuilder builder = FirestoreLockBackend.builder(client);
        new Settings<>("syncguard", builder)
                .set("command-timeout", common.commandTimeout(), FirestoreLockBackendBuilder::commandTimeout)
                .set("fence-mode", common.fenceMode(), FirestoreLockBackendBuilder::fenceMode)
                .set("cleanup-in-is-locked", common.cleanupInIsLocked(), FirestoreLockBackendBuilder::cleanupInIsLocked)
                .flag(common.strict(), FirestoreLockBackendBuilder::strict);
        return new Settings<>("syncguard.firestore", builder)
                .set(
                        "locks-collection",
                        properties.locksCollection(),
                        (self, locks) -> self.collections(locks, properties.countersCollection()))
                .set("clock-limit", properties.clockLimit(), FirestoreLockBackendBuilder::clockLimit)
                .flag(properties.mixedFleet(), FirestoreLockBackendBuilder::mixedFleet)
                .value()
                .build();
    }
}
