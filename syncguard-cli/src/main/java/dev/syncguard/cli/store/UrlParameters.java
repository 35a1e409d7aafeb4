package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the {@link StoreSetting}s out of a URL and leaves what is for the driver. Messages repeat nothing of the URL: what
 * stands behind a {@code ?} may be the rest of a password.
 */
final class UrlParameters {

    private static final String PARAMETER = "[^@?#&=\\s]+(?:=[^@?#&\\s]*)?";
    private static final Pattern QUERY =
            Pattern.compile("([^?]*)\\?(" + PARAMETER + "(?:&" + PARAMETER + ")*)((?:#[^@?#]*)?)");

    private static final Set<String> OF_LETTUCE = Set.of(
            "timeout",
            "database",
            "db",
            "clientName",
            "libraryName",
            "libraryVersion",
            "verifyPeer",
            "sentinelMasterId");

    private final StoreKind kind;
    private final StoreSettings taken = new StoreSettings();
    private final List<String> left = new ArrayList<>();

    private UrlParameters(StoreKind kind) {
        this.kind = kind;
    }

    /** Returns the address with the settings of its URL, as far as an option does not say something else. */
    static StoreAddress read(StoreAddress address, StoreKind kind) {
        Matcher url = QUERY.matcher(address.url());
        if (!url.matches()) {
            return address.url().indexOf('?') < 0 || kind == StoreKind.REDIS || kind == StoreKind.POSTGRESQL
                    ? address // these two are strict themselves, and know better what is wrong
                    : refuse(kind);
        }
        UrlParameters parameters = new UrlParameters(kind);
        for (String parameter : url.group(2).split("&", -1)) {
            parameters.take(parameter);
        }
        String rest = parameters.left.isEmpty() ? "" : "?" + String.join("&", parameters.left);
        return new StoreAddress(
                url.group(1) + rest + url.group(3),
                address.password(),
                address.settings().orElse(parameters.taken));
    }

    private void take(String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        for (StoreSetting setting : StoreSetting.values()) {
            if (setting.parameter().equals(name)) {
                String value = equals < 0 ? "" : StoreAddress.decode(parameter.substring(equals + 1));
                setting.check(kind, value);
                taken.put(setting, value);
                return;
            }
        }
        if (!isOfDriver(name)) {
            refuse(kind);
        }
        left.add(parameter);
    }

    private boolean isOfDriver(String name) {
        return switch (kind) {
            case REDIS -> OF_LETTUCE.contains(name);
            case POSTGRESQL -> PostgresUrl.isOfDriver(name);
            default -> false;
        };
    }

    private static StoreAddress refuse(StoreKind kind) {
        String known = StoreSetting.parametersOf(kind);
        String ofDriver = switch (kind) {
            case REDIS -> ", and of the driver " + String.join(", ", new TreeSet<>(OF_LETTUCE));
            case POSTGRESQL -> ", and those of the JDBC driver, such as sslmode or targetServerType";
            default -> "";
        };
        throw new LockException(
                Code.INVALID_ARGUMENT,
                "unknown parameter in the URL; a store of " + kind + ": has "
                        + (known.isEmpty() ? "none" : known + ofDriver));
    }
}
