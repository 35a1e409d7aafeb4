package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the command finds in its environment: what {@code syncguard} found there, without the password, and its lock. */
final class CommandEnvironment {

    static final String LOCK_ID = "SYNCGUARD_LOCK_ID";

    /** The launcher moves these here: the JVM would print a line about each. */
    private static final String SAVED = "SYNCGUARD_SAVED_";

    private static final List<String> SAVED_NAMES = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final Pattern IN_AUTHORITY = Pattern.compile("^([^@]*?://[^:@/]*):.*@");
    private static final Pattern IN_PARAMETER = Pattern.compile("([?&][a-z]*password=)[^&]*", Pattern.CASE_INSENSITIVE);

    private CommandEnvironment() {}

    static void prepare(Map<String, String> environment, String key, Lease lease) {
        environment.remove("SYNCGUARD_PASSWORD");
        environment.computeIfPresent("SYNCGUARD_BACKEND", (name, url) -> withoutPassword(url));
        restoreLocale(environment);
        for (String name : SAVED_NAMES) {
            String value = environment.remove(SAVED + name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.put("SYNCGUARD_KEY", key);
        environment.put("SYNCGUARD_FENCE", lease.fence().toString());
        environment.put(LOCK_ID, lease.lockId().value());
    }

    /** A store that refuses a nested syncguard is better than another store, so the rest of the URL stays. */
    static String withoutPassword(String url) {
        String bare = IN_AUTHORITY.matcher(url).replaceFirst("$1@");
        return IN_PARAMETER.matcher(bare).replaceAll("$1");
    }

    /** The launcher changes it for this process where it is not UTF-8, so that keys arrive whole. */
    private static void restoreLocale(Map<String, String> environment) {
        String locale = System.getProperty("syncguard.locale");
        if (locale != null && locale.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (locale != null) {
            environment.put("LC_ALL", locale);
        }
    }
}
