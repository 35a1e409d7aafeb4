package dev.syncguard.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** Options that only newer drivers have: applications bring their own driver, and an older one lacks their types. */
final class LaterOptions {

    private static final boolean MAINTENANCE = isPresent("io.lettuce.core.MaintNotificationsConfig");

    private LaterOptions() {}

    static void fill(ClientOptions.Builder builder) {
        if (MAINTENANCE) {
            Maintenance.disable(builder);
        }
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, LaterOptions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A class of its own: it is loaded only if its types are there. */
    private static final class Maintenance {

        static void disable(ClientOptions.Builder builder) {
            builder.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }
}
