package dev.syncguard.faults;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The oldest drivers that are supported, which the build copies beside the suite: one client of a round has them, instead of
 * those of the others. What only newer ones have must not be on its class path.
 */
final class OlderDrivers {

    private static final int CLIENT = 1;
    private static final Pattern DRIVERS = Pattern.compile("(lettuce-core|netty-|postgresql-\\d).*\\.jar");

    private OlderDrivers() {}

    /** The class path of a client. */
    static String classPath(int client, String own) {
        try {
            Path code = Path.of(OlderDrivers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path older = code.resolveSibling("older-drivers");
            Path classes = code.resolveSibling("classes");
            if (client != CLIENT || !Files.isDirectory(older) || !Files.isDirectory(classes)) {
                return own;
            }
            List<String> entries = new ArrayList<>(List.of(classes.toString()));
            try (Stream<Path> jars = Files.list(older)) {
                jars.sorted().map(Path::toString).forEach(entries::add);
            }
            for (String entry : own.split(File.pathSeparator, -1)) {
                add(Path.of(entry), code, entries);
            }
            return String.join(File.pathSeparator, entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The jar of the suite stands for all that it names. */
    private static void add(Path entry, Path code, List<String> entries) throws IOException {
        if (entry.equals(code) && Files.isRegularFile(code)) {
            try (JarFile jar = new JarFile(code.toFile())) {
                String named = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                for (String name : named == null ? new String[0] : named.split(" ", -1)) {
                    addUnlessDriver(code.resolveSibling(name), entries);
                }
            }
        } else {
            addUnlessDriver(entry, entries);
        }
    }

    private static void addUnlessDriver(Path entry, List<String> entries) {
        if (!DRIVERS.matcher(String.valueOf(entry.getFileName())).matches()) {
            entries.add(entry.toString());
        }
    }
}
