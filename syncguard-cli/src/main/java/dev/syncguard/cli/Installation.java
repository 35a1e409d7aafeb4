package dev.syncguard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * Run once by the launcher, after a build: copies this jar and those that it needs into one directory, and unpacks
 * SQLite's native library, which the driver would else do at each start. Uses nothing but the JDK.
 */
final class Installation {

    private static final String NATIVE = "org/sqlite/native/";

    private final Path target;
    /** What every start needs; what a store with a server needs besides, by the first of these that fits its name. */
    private static final Map<String, String> NEEDED_BY = Map.of(
            "base", "(syncguard-(cli|core|sqlite)|sqlite-jdbc|picocli)[-.].*",
            "redis", "(syncguard-redis|lettuce|redis-authx|netty|reactor|reactive-streams)-.*",
            "postgresql", "(syncguard-postgres|postgresql)-.*");

    /**
     * How the JVM is started. A command under {@code run} may take days, and a young generation of the usual size (a sixtieth of
     * the machine's memory) would fill in that time before anything is collected. The last ones spare a search for Groovy and
     * the reading of locale data for SQLite's driver.
     */
    private static final List<String> FLAGS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmn6m",
            "-XX:-UsePerfData",
            "-Dfile.encoding=UTF-8",
            "-Dpicocli.disable.closures=true",
            "-Djava.locale.providers=COMPAT");

    private final Map<String, List<String>> jars = new HashMap<>();

    private Installation(Path target) {
        this.target = target;
    }

    /**
     * Copies.
     *
     * @param args the jar, and the directory to copy to
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        Installation installation = new Installation(Path.of(args[1]));
        Files.createDirectories(installation.target.resolve("lib"));
        Files.createDirectories(installation.target.resolve("native"));
        try (JarFile source = new JarFile(jar.toFile())) {
            Manifest manifest = source.getManifest();
            // Not by blanks alone: a path may have one.
            String[] needed = manifest.getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split("(?<=\\.jar) ", -1);
            manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
            installation.copyItself(source, manifest, jar.getFileName().toString());
            Optional<Path> picocli = Picocli.compile(List.of(needed), installation.target);
            for (String path : needed) {
                boolean isReplaced = Picocli.isSource(path) || (picocli.isPresent() && Picocli.isClasses(path));
                if (!isReplaced) {
                    installation.copy(Path.of(path));
                }
            }
            picocli.ifPresent(compiled -> installation.next(String.valueOf(compiled.getFileName())));
        }
        installation.writeClassPaths();
    }

    /** Without the list of what it needs: the JVM would look there, too. */
    private void copyItself(JarFile source, Manifest manifest, String name) throws IOException {
        Path copy = next(name);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(copy), manifest)) {
            for (var entry : source.stream().toList()) {
                if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    jar.putNextEntry(new ZipEntry(entry.getName()));
                    try (InputStream content = source.getInputStream(entry)) {
                        content.transferTo(jar);
                    }
                    jar.closeEntry();
                }
            }
        }
    }

    private void copy(Path jar) throws IOException {
        Path copy = next(jar.getFileName().toString());
        copyOrLink(jar, copy);
        if (copy.getFileName().toString().startsWith("sqlite-jdbc")) {
            unpackLibrary(copy);
        }
    }

    /** Jars of releases never change, so a second name is enough for them. */
    private static void copyOrLink(Path jar, Path copy) throws IOException {
        if (!copy.getFileName().toString().startsWith("syncguard-")) {
            try {
                Files.createLink(copy, jar);
                return;
            } catch (IOException | UnsupportedOperationException e) {
                Files.deleteIfExists(copy); // another file system: copied below
            }
        }
        Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path next(String name) {
        String store = List.of("base", "redis", "postgresql").stream()
                .filter(candidate -> name.matches(String.valueOf(NEEDED_BY.get(candidate))))
                .findFirst()
                .orElse("firestore");
        jars.computeIfAbsent(store, unused -> new ArrayList<>()).add(name);
        return target.resolve("lib").resolve(name);
    }

    /** The JVM looks at each jar that it is told. The launcher knows where these are now. */
    private void writeClassPaths() throws IOException {
        List<String> all = new ArrayList<>(jars("base"));
        write("classpath-base", String.join(":", all));
        for (String store : List.of("redis", "postgresql", "firestore")) {
            List<String> path = new ArrayList<>(jars("base"));
            path.addAll(jars(store));
            all.addAll(jars(store));
            write("classpath-" + store, String.join(":", path));
        }
        write("classpath-all", String.join(":", all));
        write("flags", String.join("\n", FLAGS));
    }

    private List<String> jars(String store) {
        return jars.getOrDefault(store, List.of());
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(target.resolve("lib").resolve(file), text + "\n");
    }

    /** The driver looks for it by this name in the directory that the launcher tells it. */
    private void unpackLibrary(Path jar) throws IOException {
        String name = System.mapLibraryName("sqlitejdbc");
        try (JarFile driver = new JarFile(jar.toFile())) {
            for (var entry : driver.stream().toList()) {
                if (entry.getName().equals(NATIVE + platform() + "/" + name)) {
                    try (InputStream library = driver.getInputStream(entry)) {
                        Files.copy(library, target.resolve("native").resolve(name));
                    }
                }
            }
        }
    }

    /** The two systems whose naming is plain; elsewhere the driver unpacks for itself. */
    private static String platform() {
        String system = System.getProperty("os.name").startsWith("Mac") ? "Mac" : System.getProperty("os.name");
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        return system + "/" + machine;
    }
}
