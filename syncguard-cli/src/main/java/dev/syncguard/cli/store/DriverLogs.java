package dev.syncguard.cli.store;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What drivers log: not for this screen, their failures arrive as exceptions. */
final class DriverLogs {

    /** Kept, or the setting would be lost with it. */
    private static final Logger ROOT = Logger.getLogger("");

    private DriverLogs() {}

    static void silence() {
        ROOT.setLevel(Level.OFF);
    }
}
