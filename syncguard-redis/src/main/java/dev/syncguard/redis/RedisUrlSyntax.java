package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.regex.Pattern;

/**
 * The URLs that are accepted. The driver reads others in its own way: of {@code redis://user:pa#ss@host} it takes
 * {@code user} for the host, and asks the name server for part of a password. So whatever does not fit is refused here,
 * unseen by anything else, and the message repeats nothing of it.
 */
final class RedisUrlSyntax {

    private static final String USER = "(?:(?:[^\\s@/?#%]|%[0-9A-Fa-f]{2})*@)?";
    private static final String HOST = "(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_.-]+)(?::[0-9]{1,5})?";
    private static final String PARAMETER =
            "(?:timeout|database|db|clientName|libraryName|libraryVersion|verifyPeer|sentinelMasterId)=[^\\s@?#&]*";
    private static final String PARAMETERS = "(?:\\?" + PARAMETER + "(?:&" + PARAMETER + ")*)?";

    private static final Pattern SERVER =
            Pattern.compile("redis(?:s|\\+ssl|\\+tls)?://" + USER + HOST + "(?:/[0-9]{0,9})?" + PARAMETERS);
    private static final Pattern SENTINEL = Pattern.compile("rediss?-sentinel://" + USER + HOST + "(?:," + HOST
            + ")*(?:/[0-9]{0,9})?" + PARAMETERS + "(?:#[^\\s@/?#]+)?");
    private static final Pattern SOCKET = Pattern.compile("redis[-+]socket://" + USER + "[^\\s@?#]+" + PARAMETERS);

    private RedisUrlSyntax() {}

    static void check(String url) {
        if (!SERVER.matcher(url).matches()
                && !SENTINEL.matcher(url).matches()
                && !SOCKET.matcher(url).matches()) {
            throw invalid();
        }
    }

    static LockException invalid() {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "invalid Redis URL; it looks like redis://user:password@host:6379/0, rediss://… for TLS, or"
                        + " redis-sentinel://host:26379#name-of-primary; in a user or password write %23 for #, %3F for ?,"
                        + " %2F for /, %40 for @, %25 for %");
    }
}
