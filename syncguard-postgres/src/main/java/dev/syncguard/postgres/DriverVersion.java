package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import org.postgresql.Driver;

/** Refuses a driver that is older than the oldest one that the build tests with. */
final class DriverVersion {

    private static final int MAJOR = 42;
    private static final int MINOR = 3;

    private DriverVersion() {}

    /** Asks the driver itself: its constants would be copied into this class by the compiler. */
    static void check() {
        Driver driver = new Driver();
        check(driver.getMajorVersion(), driver.getMinorVersion());
    }

    static void check(int major, int minor) {
        if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "the PostgreSQL JDBC driver " + major + "." + minor
                            + " is not supported; use org.postgresql:postgresql " + MAJOR + "." + MINOR + " or newer");
        }
    }
}
