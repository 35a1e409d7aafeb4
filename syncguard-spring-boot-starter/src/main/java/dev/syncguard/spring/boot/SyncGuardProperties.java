package dev.syncguard.spring.boot;

import dev.syncguard.FenceMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the guard and of its store.
 *
 * @param enabled Whether locks are configured at all.
 * @param backend Where locks are kept: a URL (redis://HOST, jdbc:postgresql://HOST/DATABASE, sqlite:PATH, firestore://PROJECT, memory:), or redis, postgres or firestore for the bean that the application has. Needed only if more than one bean would do.
 * @param bean Name of the bean that leads to the store, where several of its type exist and none is primary.
 * @param commandTimeout How long one operation of the store may take. 2 seconds if not set, on Firestore 5 seconds.
 * @param fenceMode How the next fence of a key is found.
 * @param strict Whether the application refuses to start on a store whose settings break what a lock promises.
 * @param cleanupInIsLocked Whether isLocked removes locks that expired a while ago.
 * @param disposeTimeout How long closing a lease waits for the store. The command timeout if not set.
 * @param threads How many threads asynchronous acquires, releases and renewals may each take on a store that can only block.
 * @param label Who holds the locks of this application, for operators, such as a host name.
 * @param hashSecret Secret of at least 16 bytes, with which keys are hashed for messages and diagnostics.
 * @param shutdownTimeout How long a shutdown waits for locks that are held.
 */
@ConfigurationProperties("syncguard")
record SyncGuardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String backend,
        @Nullable String bean,
        @Nullable Duration commandTimeout,
        @DefaultValue("counter") FenceMode fenceMode,
        @DefaultValue("false") boolean strict,
        @DefaultValue("false") boolean cleanupInIsLocked,
        @Nullable Duration disposeTimeout,
        @DefaultValue("8") int threads,
        @Nullable String label,
        @Nullable String hashSecret,
        @DefaultValue("20s") Duration shutdownTimeout) {

    static final String PREFIX = "syncguard.";

    /** Without the URL and the secret, which a log must not show. */
    @Override
    public String toString() {
        return "SyncGuardProperties[fenceMode=" + fenceMode + ", strict=" + strict + ", threads=" + threads + "]";
    }
}
