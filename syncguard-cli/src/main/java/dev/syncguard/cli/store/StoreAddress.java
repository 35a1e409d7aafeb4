package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store as the user names it. {@link #toString()} is safe to show.
 *
 * @param url the URL, perhaps with a password in it
 * @param password from the environment or a file
 * @param settings from options, later also from the URL
 */
public record StoreAddress(String url, @Nullable String password, StoreSettings settings) {

    private static final Pattern SCHEME = Pattern.compile("^(jdbc:)?[a-z0-9+.-]*:", Pattern.CASE_INSENSITIVE);

    /**
     * Creates an address; the scheme may be in any case.
     *
     * @param url the URL, perhaps with a password in it
     * @param password from the environment or a file
     * @param settings from options, later also from the URL
     */
    public StoreAddress {
        url = SCHEME.matcher(url).replaceFirst(scheme -> scheme.group().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns what stands before the first colon.
     *
     * @return the scheme, in lower case
     */
    public String scheme() {
        int colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon);
    }

    /**
     * Returns what stands behind the first colon.
     *
     * @return the rest
     */
    public String rest() {
        return url.substring(url.indexOf(':') + 1);
    }

    private int authorityStart() {
        int start = url.indexOf("://");
        return start < 0 ? url.length() : start + 3;
    }

    private int userInfoEnd() {
        int start = authorityStart();
        int end = start;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return Math.max(start, url.lastIndexOf('@', end - 1));
    }

    private String userInfo() {
        return url.substring(authorityStart(), userInfoEnd());
    }

    /**
     * Returns the user.
     *
     * @return the decoded name; null if there is none
     */
    public @Nullable String user() {
        String info = userInfo();
        int colon = info.indexOf(':');
        String user = colon < 0 ? info : info.substring(0, colon);
        return user.isEmpty() ? null : decode(user);
    }

    /**
     * Returns the password that counts: the one of the URL, else the one of environment or file.
     *
     * @return the decoded password; null if there is none
     */
    public @Nullable String effectivePassword() {
        int colon = userInfo().indexOf(':');
        return colon < 0 ? password : decode(userInfo().substring(colon + 1));
    }

    static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, "invalid URL: a % stands before two hexadecimal digits, and is itself %25");
        }
    }

    /**
     * Returns the URL without user and password.
     *
     * @return the URL
     */
    public String withoutUser() {
        int end = userInfoEnd();
        boolean hasUser = end < url.length() && url.charAt(end) == '@';
        return url.substring(0, authorityStart()) + url.substring(hasUser ? end + 1 : end);
    }

    /**
     * Returns the URL with the password in it, for clients that take no other.
     *
     * @return the URL
     */
    public String withPassword() {
        if (password == null || userInfo().indexOf(':') >= 0) {
            return url;
        }
        String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
        String bare = withoutUser();
        int start = authorityStart();
        return bare.substring(0, start) + userInfo() + ":" + encoded + "@" + bare.substring(start);
    }

    /** Returns the scheme: any other part may hold a password. */
    @Override
    public String toString() {
        return scheme();
    }
}
