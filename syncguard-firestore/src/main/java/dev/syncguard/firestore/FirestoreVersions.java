package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.Nullable;

/** Refuses a client that is too old, with words instead of a NoSuchMethodError in the first operation. */
final class FirestoreVersions {

    /** The oldest client that the build tests. */
    static final String OLDEST = "3.13.0";

    private static final int MAJOR = 3;
    private static final int MINOR = 13;

    private FirestoreVersions() {}

    /** Returns the version that the client's jar states, on the class path or as a module; null if it states none. */
    static @Nullable String present() {
        String stated = Firestore.class.getPackage().getImplementationVersion();
        ModuleDescriptor module = Firestore.class.getModule().getDescriptor();
        return stated == null && module != null ? module.rawVersion().orElse(null) : stated;
    }

    /**
     * Checks a version.
     *
     * @param version as the client's jar states it; null if it does not
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is too old
     */
    static void check(@Nullable String version) {
        if (version == null || !version.matches("\\d{1,6}\\.\\d{1,6}(\\D.*)?")) {
            return; // repackaged: nothing says how old it is
        }
        String[] parts = version.split("\\D", 3);
        int major = Integer.parseInt(parts[0]);
        if (major < MAJOR || (major == MAJOR && Integer.parseInt(parts[1]) < MINOR)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "google-cloud-firestore " + version + " is too old for this backend; it needs " + OLDEST
                            + " or newer");
        }
    }
}
