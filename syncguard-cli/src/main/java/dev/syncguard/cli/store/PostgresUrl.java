package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads a PostgreSQL URL strictly. A password with an unencoded {@code #}, {@code ?}, {@code /} or {@code @} would otherwise
 * be cut into pieces, and one of them looked up as a host or shown in a message.
 *
 * @param jdbcUrl for the driver, without user, password and what is for us
 * @param noOtherLibrary whether the parameter {@value #NO_OTHER_LIBRARY} is true
 */
record PostgresUrl(String jdbcUrl, boolean noOtherLibrary) {

    private static final String NO_OTHER_LIBRARY = "assumeNoOtherLibrary";
    private static final String HOST = "([A-Za-z0-9_]([A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?";
    private static final String ENCODED = "([^%@#?&\\s]|%[0-9A-Fa-f]{2})";
    private static final Pattern URL = Pattern.compile("(?i:(jdbc:)?postgres(ql)?):"
            + "(//([^%@#?/\\s:]|%[0-9A-Fa-f]{2})*(:([^%@#?/\\s]|%[0-9A-Fa-f]{2})*)?@|//)?"
            + "(" + HOST + "(," + HOST + ")*)?"
            + "(/" + ENCODED + "*|" + ENCODED + "*)"
            + "(\\?" + ENCODED + "*(&" + ENCODED + "*)*)?");

    static PostgresUrl of(StoreAddress address) {
        if (!URL.matcher(address.url()).matches()) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "invalid PostgreSQL URL; it looks like postgresql://user@host:5432/database?name=value, and in each"
                            + " part % # ? / @ & and spaces are written as %25 %23 %3F %2F %40 %26 %20");
        }
        String url = address.withoutUser();
        String bare = "jdbc:postgresql"
                + url.substring(url.indexOf(':', address.scheme().equals("jdbc") ? 5 : 0));
        int question = bare.indexOf('?');
        if (question < 0) {
            return new PostgresUrl(bare, false);
        }
        List<String> kept = new ArrayList<>();
        boolean noOtherLibrary = false;
        for (String parameter : bare.substring(question + 1).split("&", -1)) {
            if (parameter.startsWith(NO_OTHER_LIBRARY + "=")) {
                noOtherLibrary = isTrue(parameter.substring(parameter.indexOf('=') + 1));
            } else {
                kept.add(parameter);
            }
        }
        String rest = kept.isEmpty() ? "" : "?" + String.join("&", kept);
        return new PostgresUrl(bare.substring(0, question) + rest, noOtherLibrary);
    }

    private static boolean isTrue(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new LockException(Code.INVALID_ARGUMENT, NO_OTHER_LIBRARY + " is true or false");
        }
        return value.equals("true");
    }
}
