package dev.syncguard.faults.teeth;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A class, or a script, with a seeded bug: built into a directory that stands first on the class path. */
public final class Mutant {

    private static final String JAVA = "java/";
    private static final String RESOURCES = "resources/";

    private Mutant() {}

    /**
     * Builds a mutant.
     *
     * @param home the repository
     * @param tooth the bug
     * @param directory where it is built
     */
    public static void build(Path home, Tooth tooth, Path directory) {
        try {
            String text = changed(home, tooth);
            if (tooth.file().startsWith(RESOURCES)) {
                write(directory.resolve(tooth.file().substring(RESOURCES.length())), text);
            } else {
                Path source = directory.resolve("source").resolve(tooth.file().substring(JAVA.length()));
                write(source, text);
                compile(source, directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the source with the bug.
     *
     * @param home the repository
     * @param tooth the bug
     * @return the text
     * @throws IOException if there is no such file
     */
    public static String changed(Path home, Tooth tooth) throws IOException {
        String text = Files.readString(
                home.resolve(tooth.module()).resolve("src/main").resolve(tooth.file()));
        for (Tooth.Edit edit : tooth.edits()) {
            int at = text.indexOf(edit.search());
            if (at < 0 || text.indexOf(edit.search(), at + 1) >= 0) {
                throw new IllegalStateException(
                        tooth.name() + ": not exactly once in " + tooth.file() + ": " + edit.search());
            }
            text = text.substring(0, at)
                    + edit.replacement()
                    + text.substring(at + edit.search().length());
        }
        return text;
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void compile(Path source, Path directory) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("teeth need a JDK");
        }
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d",
                    directory.toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-proc:none",
                    "-nowarn",
                    "--release",
                    "17");
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IllegalStateException("the mutant does not compile: " + said);
            }
        }
    }
}
