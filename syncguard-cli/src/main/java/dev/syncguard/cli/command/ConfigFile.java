package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.store.StoreSetting;
import dev.syncguard.cli.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file of defaults: {@code $SYNCGUARD_CONFIG}, or {@code syncguard/config} in the user's configuration directory. */
public final class ConfigFile {

    static final String BACKEND = "backend";
    static final String PASSWORD = "password";
    static final String PASSWORD_FILE = "password-file";

    private static final String SQLITE = "sqlite:";

    /** Options of commands that may have another default. */
    private static final List<String> OPTIONS = List.of("ttl", "wait", "grace", "color");

    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private static @Nullable ConfigFile read;

    private final Map<String, String> entries;

    private ConfigFile(Map<String, String> entries) {
        this.entries = entries;
    }

    static ConfigFile empty() {
        return new ConfigFile(Map.of());
    }

    /**
     * Reads the file, once.
     *
     * @return its entries; none if there is no file and none was named
     * @throws LockException if it cannot be read, has an unknown entry, or shows a password to others
     */
    public static ConfigFile read() {
        if (read == null) {
            Path file = path();
            read = file == null ? empty() : parse(file);
        }
        return read;
    }

    private static @Nullable Path path() {
        String named = Environment.get("SYNCGUARD_CONFIG");
        if (named != null && !named.isEmpty()) {
            return at(named);
        }
        String directory = Environment.get("XDG_CONFIG_HOME");
        String home = Environment.get("HOME");
        String parent = directory != null && directory.startsWith("/")
                ? directory
                : home != null && home.startsWith("/") ? home + "/.config" : null;
        Path file = parent == null ? null : at(parent + "/syncguard/config");
        return file != null && Files.exists(file) ? file : null;
    }

    private static Path at(String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw invalid("its path is not allowed");
        }
    }

    private static ConfigFile parse(Path file) {
        try {
            Map<String, String> entries = new LinkedHashMap<>();
            int number = 0;
            for (String line : lines(file)) {
                number++;
                String text = line.strip();
                if (!text.isEmpty() && !text.startsWith("#")) {
                    int equals = text.indexOf('=');
                    String name = equals < 0 ? "" : text.substring(0, equals).strip();
                    if (!names().contains(name) || entries.containsKey(name)) {
                        throw invalid("line " + number + " is no 'name = value' with a new name of: "
                                + String.join(", ", names()));
                    }
                    entries.put(name, text.substring(equals + 1).strip());
                }
            }
            checkMode(file, holdsPassword(entries));
            checkPath(entries.getOrDefault(BACKEND, ""));
            return new ConfigFile(entries);
        } catch (IOException e) {
            throw invalid("it cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private static List<String> lines(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw invalid("it is no plain file");
        }
        List<String> lines = SmallFile.lines(file);
        if (lines == null) {
            throw invalid("it is longer than 64 KiB");
        }
        return lines;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(BACKEND, PASSWORD, PASSWORD_FILE));
        for (StoreSetting setting : StoreSetting.values()) {
            names.add(setting.entry());
        }
        names.addAll(OPTIONS);
        return names;
    }

    private static boolean holdsPassword(Map<String, String> entries) {
        String url = entries.getOrDefault(BACKEND, "");
        return entries.containsKey(PASSWORD) || url.matches("[^@]*://[^@]*:[^@]*@.*") || url.contains("password=");
    }

    /** Whoever can write it chooses the store, and gets the password that is sent there. */
    private static void checkMode(Path file, boolean holdsPassword) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        Set<PosixFilePermission> mode =
                view == null ? Set.of() : view.readAttributes().permissions();
        if (holdsPassword && mode.stream().anyMatch(OF_OTHERS::contains)) {
            throw invalid("it holds a password and is open to others; chmod 600 it, or use password-file");
        }
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw invalid("everybody can write it, and with it choose the store; chmod o-w it");
        }
    }

    /** A relative path would be another file in each working directory, and so another lock. */
    private static void checkPath(String url) {
        String path = url.regionMatches(true, 0, SQLITE, 0, SQLITE.length()) ? url.substring(SQLITE.length()) : "";
        if (!path.isEmpty() && !at(path).isAbsolute()) {
            throw invalid(
                    "the path of its backend is not absolute; it would be another file in each working directory");
        }
    }

    private static LockException invalid(String what) {
        return new LockException(Code.INVALID_ARGUMENT, "the config file: " + what);
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    String get(String name, String otherwise) {
        return entries.getOrDefault(name, otherwise);
    }

    StoreSettings settings() {
        StoreSettings settings = new StoreSettings();
        for (StoreSetting setting : StoreSetting.values()) {
            String value = entries.get(setting.entry());
            if (value != null) {
                settings.put(setting, value);
            }
        }
        return settings;
    }

    /**
     * Returns the default of an option.
     *
     * @param option its longest name
     * @return the text; null if the file says nothing, or cannot be read: every command that opens a store says so then, and
     *     help is still there
     */
    public static @Nullable String defaultFor(String option) {
        String name = option.replaceFirst("^--", "");
        try {
            return OPTIONS.contains(name) ? read().entries.get(name) : null;
        } catch (LockException e) {
            return null;
        }
    }
}
