package dev.syncguard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
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
    private final List<String> start = new ArrayList<>();
    private final List<String> stores = new ArrayList<>();

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
            for (String path : needed) {
                installation.copy(Path.of(path));
            }
        }
        installation.write("classpath", installation.start);
        installation.write("classpath-stores", installation.stores);
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

    /** What every start needs, and what only those with a server need: the JVM looks at each jar that it is told. */
    private Path next(String name) {
        Path copy = target.resolve("lib").resolve(name);
        boolean always = name.matches("(syncguard-(cli|core|sqlite)|sqlite-jdbc|picocli)[-.].*");
        (always ? start : stores).add("lib/" + name); // the launcher knows where this directory is now
        return copy;
    }

    private void write(String file, List<String> jars) throws IOException {
        Files.writeString(target.resolve(file), String.join(":", jars) + "\n");
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
