package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.RedisClient;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a Lettuce that this module was not tested with. Another major version may queue or repeat commands under the same
 * options, which no error would show.
 */
final class DriverVersion {

    private static final String NEEDED = "6.5 to 7.x";
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

    private DriverVersion() {}

    static void check() {
        check(found());
    }

    /** Accepts what does not say its version (a shaded jar): there is nothing to compare. */
    static void check(@Nullable String version) {
        Matcher numbers = NUMBERS.matcher(version == null ? "" : version);
        if (!numbers.matches()) {
            return;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        if (major < 6 || major > 7 || (major == 6 && minor < 5)) {
            throw refusal(version, null);
        }
    }

    /** The driver lacks something, or netty does. */
    static LockException unfit(LinkageError failure) {
        return refusal(found(), failure);
    }

    /** From the name of the jar on a module path, from its manifest on a class path. */
    private static @Nullable String found() {
        Module module = RedisClient.class.getModule();
        return module.isNamed()
                ? module.getDescriptor().rawVersion().orElse(null)
                : RedisClient.class.getPackage().getImplementationVersion();
    }

    private static LockException refusal(@Nullable String version, @Nullable LinkageError failure) {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "Lettuce " + (version == null ? "of an unknown version" : version.replaceAll("/.*", ""))
                        + " does not fit: syncguard-redis needs " + NEEDED
                        + " of io.lettuce:lettuce-core, and the netty that belongs to it",
                failure);
    }
}
