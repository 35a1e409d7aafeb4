package dev.syncguard.fence.jdbc;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks names that become part of a statement. They stand there without quotes, so that each database folds them alike. */
final class SqlNames {

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern QUALIFIED = Pattern.compile("(?:" + NAME + "\\.)?" + NAME);

    private SqlNames() {}

    static String table(@Nullable String name) {
        return checked(QUALIFIED, name, "a table is named");
    }

    static String column(@Nullable String name) {
        return checked(NAME, name, "a column is named");
    }

    private static String checked(Pattern allowed, @Nullable String name, String what) {
        if (name == null || !allowed.matcher(name).matches()) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    what + " by small letters, digits and underscores, at most 63 of them, not beginning with a digit");
        }
        return name;
    }
}
