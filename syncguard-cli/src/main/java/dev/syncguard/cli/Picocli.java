package dev.syncguard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles picocli from its published sources for this version of Java. As published it is for Java 5, whose classes the JVM
 * verifies at each start and does not keep in an archive with what uses them: that costs 30 ms of each start.
 */
final class Picocli {

    private static final String NAME = ".*picocli-[0-9.]+";

    private Picocli() {}

    static boolean isClasses(String path) {
        return path.matches(NAME + "\\.jar");
    }

    static boolean isSource(String path) {
        return path.matches(NAME + "-sources\\.jar");
    }

    /** Returns the jar that was made; empty where there is no compiler or no source, which is only slower. */
    static Optional<Path> compile(List<String> jars, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Optional<String> source = jars.stream().filter(Picocli::isSource).findFirst();
        if (compiler == null || source.isEmpty()) {
            return Optional.empty();
        }
        Path sources = target.resolve("picocli/sources");
        Path classes = Files.createDirectories(target.resolve("picocli/classes"));
        List<String> arguments = new ArrayList<>(List.of(
                "--release", "17", "-nowarn", "-proc:none", "-XDstringConcat=inline", "-d", classes.toString()));
        arguments.addAll(unpack(Path.of(source.get()), sources));
        int code = compiler.run(
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                arguments.toArray(String[]::new));
        return code == 0
                ? Optional.of(pack(classes, target.resolve("lib").resolve(name(source.get()))))
                : Optional.empty();
    }

    private static String name(String source) {
        return String.valueOf(Path.of(source).getFileName()).replace("-sources.jar", "-java17.jar");
    }

    private static List<String> unpack(Path jar, Path directory) throws IOException {
        List<String> files = new ArrayList<>();
        try (JarFile source = new JarFile(jar.toFile(), true, JarFile.OPEN_READ, JarFile.baseVersion())) {
            for (var entry : source.stream().toList()) {
                if (entry.getName().matches("picocli/[A-Za-z]+\\.java")) {
                    Path file = directory.resolve(entry.getName());
                    Files.createDirectories(directory.resolve("picocli"));
                    try (InputStream content = source.getInputStream(entry)) {
                        Files.write(file, content.readAllBytes());
                    }
                    files.add(file.toString());
                }
            }
        }
        return files;
    }

    private static Path pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry =
                        new ZipEntry(classes.relativize(file).toString().replace('\\', '/'));
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(Files.readAllBytes(file));
                out.closeEntry();
            }
            out.putNextEntry(new ZipEntry("META-INF/NOTICE"));
            out.write("picocli (Apache License 2.0), compiled by SyncGuard from its published, unchanged sources\n"
                    .getBytes(StandardCharsets.US_ASCII));
            out.closeEntry();
        }
        return jar;
    }
}
