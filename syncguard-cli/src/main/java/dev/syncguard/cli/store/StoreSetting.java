package dev.syncguard.cli.store;

import static dev.syncguard.cli.store.StoreKind.FIRESTORE;
import static dev.syncguard.cli.store.StoreKind.POSTGRESQL;
import static dev.syncguard.cli.store.StoreKind.REDIS;
import static dev.syncguard.cli.store.StoreKind.SQLITE;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.Durations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * The settings of the stores. Each is a parameter of URLs, an option of commands and an entry of the config file; this is
 * the only place that names them.
 */
public enum StoreSetting {
    /** How the next fence is found. */
    FENCE_MODE(
            "fenceMode",
            "MODE",
            "counter (default), or time-floored: fences keep growing when the store lost data",
            "counter or time-floored",
            Set.of("counter", "time-floored")::contains,
            SQLITE,
            REDIS,
            POSTGRESQL,
            FIRESTORE),
    /** How long one operation may take. */
    COMMAND_TIMEOUT(
            "commandTimeout",
            "TIME",
            "How long one operation of the store may take, 10ms to 10m. Default: 2s, on Firestore 5s",
            "a time from 10ms to 10m",
            StoreSetting::isTimeout,
            SQLITE,
            REDIS,
            POSTGRESQL,
            FIRESTORE),
    /** How keys begin. */
    PREFIX("prefix", "P", "Key prefix. Default: syncguard", "a text", text -> !text.isEmpty(), REDIS),
    /** How many replicas have a grant before it counts. */
    REPLICA_ACKS(
            "replicaAcks",
            "N",
            "A grant counts only when so many replicas have it. Default: 0",
            "a number from 0 to 100",
            text -> text.matches("[0-9]{1,2}|100"),
            REDIS),
    /** The schema of the tables. */
    SCHEMA("schema", "NAME", "Schema of the tables. Default: public", "a name", text -> !text.isEmpty(), POSTGRESQL),
    /** The table of the locks. */
    LOCK_TABLE(
            "lockTable",
            "NAME",
            "Table or collection of the locks. Default: syncguard_locks, on Firestore locks",
            "a name",
            text -> !text.isEmpty(),
            POSTGRESQL,
            FIRESTORE),
    /** The table of the fence counters. */
    COUNTER_TABLE(
            "counterTable",
            "NAME",
            "Table or collection of the fence counters. Default: syncguard_fence_counters, on Firestore fence_counters",
            "a name",
            text -> !text.isEmpty(),
            POSTGRESQL,
            FIRESTORE),
    /** Saves an advisory lock. */
    ASSUME_NO_OTHER_LIBRARY(
            "assumeNoOtherLibrary",
            "",
            "Save an advisory lock where no client of another library uses the tables; where one does, there are two holders",
            "true or false",
            StoreSetting::isFlag,
            POSTGRESQL),
    /** Refuses keys that clients in other languages keep elsewhere. */
    MIXED_FLEET(
            "mixedFleet",
            "",
            "Refuse keys with a /, which clients in other languages keep elsewhere",
            "true or false",
            StoreSetting::isFlag,
            FIRESTORE),
    /** Whom TLS trusts. */
    TLS_CA(
            "tlsCa",
            "FILE",
            "Certificates (PEM) that TLS trusts. Default: those of the JDK",
            "a file of certificates (PEM) that can be read",
            StoreSetting::isCertificates,
            REDIS,
            POSTGRESQL),
    /** What TLS verifies. */
    TLS_VERIFY(
            "tlsVerify",
            "WHAT",
            "full: certificate and host name, ca: the certificate only, or none. Default: full on rediss:// and with"
                    + " --tls-ca; else on PostgreSQL what sslmode says",
            "full, ca or none",
            Set.of("full", "ca", "none")::contains,
            REDIS,
            POSTGRESQL);

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final String parameter;
    private final String label;
    private final String description;
    private final String range;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final Predicate<String> check;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<StoreKind> kinds;

    StoreSetting(
            String parameter,
            String label,
            String description,
            String range,
            Predicate<String> check,
            StoreKind... kinds) {
        this.parameter = parameter;
        this.label = label;
        this.description = description;
        this.range = range;
        this.check = check;
        this.kinds = List.of(kinds);
    }

    /**
     * Returns the name in URLs.
     *
     * @return for example {@code fenceMode}
     */
    public String parameter() {
        return parameter;
    }

    /**
     * Returns the name in the config file; with two dashes before it, that of the option.
     *
     * @return for example {@code fence-mode}
     */
    public String entry() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns what stands for the value in help texts.
     *
     * @return a word; empty if the option takes no value
     */
    public String label() {
        return label;
    }

    /**
     * Returns the help text.
     *
     * @return what the setting does and which stores have it
     */
    public String description() {
        return description + ". For " + stores();
    }

    boolean has(StoreKind kind) {
        return kinds.contains(kind);
    }

    private String stores() {
        return kinds.stream().map(StoreKind::toString).collect(Collectors.joining(", "));
    }

    /** Throws unless a store has this setting and the value is in its range; repeats nothing of the value. */
    void check(StoreKind kind, String value) {
        if (!has(kind)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "a store of " + kind + ": has no --" + entry() + " (in URLs " + parameter + "); that is for "
                            + stores());
        }
        if (!check.test(value)) {
            throw new LockException(Code.INVALID_ARGUMENT, "--" + entry() + " (in URLs " + parameter + ") is " + range);
        }
    }

    /** The settings of one store by their names in URLs. */
    static String parametersOf(StoreKind kind) {
        return Arrays.stream(values())
                .filter(setting -> setting.has(kind))
                .map(StoreSetting::parameter)
                .collect(Collectors.joining(", "));
    }

    private static boolean isFlag(String text) {
        return text.equals("true") || text.equals("false");
    }

    private static boolean isTimeout(String text) {
        try {
            Duration time = new Durations().convert(text);
            return time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0;
        } catch (TypeConversionException e) {
            return false;
        }
    }

    private static boolean isCertificates(String text) {
        try {
            return Files.isRegularFile(Path.of(text))
                    && Files.readString(Path.of(text), StandardCharsets.ISO_8859_1)
                            .contains("-----BEGIN CERTIFICATE-----");
        } catch (InvalidPathException | IOException e) {
            return false;
        }
    }
}
