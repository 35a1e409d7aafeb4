import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Builds the published jars a second time and compares them, byte by byte, with those of the build that runs this
 * program: from a copy of the sources in another directory, in another process, time zone and locale, and later. What
 * of these gets into a jar (a time stamp, a path, an iteration order) makes it differ.
 *
 * <p>Arguments: the directory of the project, the directory for the copy, the Maven to use, its local repository.
 */
public final class BuildTwice {
    private static final Set<String> LEFT_OUT = Set.of(".git", ".idea", ".m2", "target");

    private final Path project;
    private final Path copy;

    private BuildTwice(Path project, Path copy) {
        this.project = project;
        this.copy = copy;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        BuildTwice twice = new BuildTwice(Path.of(args[0]), Path.of(args[1]));
        List<Path> modules = twice.publishedModules();
        twice.copySources();
        twice.build(modules, Path.of(args[2]), Path.of(args[3]));
        List<String> differences = new ArrayList<>();
        for (Path module : modules) {
            differences.addAll(twice.differences(module));
        }
        if (!differences.isEmpty()) {
            differences.forEach(System.err::println);
            System.err.println("If target/ holds left-overs or classes of another JDK, ./mvnw clean verify is enough.");
            System.exit(1);
        }
    }

    /** A module with a module-info is a published one, as in pom.xml. */
    private List<Path> publishedModules() throws IOException {
        try (Stream<Path> directories = Files.list(project)) {
            return directories
                    .filter(directory -> Files.exists(directory.resolve("src/main/java/module-info.java")))
                    .map(Path::getFileName)
                    .sorted()
                    .toList();
        }
    }

    private void copySources() throws IOException {
        deleteCopy();
        Files.walkFileTree(project, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (LEFT_OUT.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(project.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, copy.resolve(project.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void deleteCopy() throws IOException {
        if (Files.exists(copy)) {
            try (Stream<Path> files = Files.walk(copy)) {
                files.sorted(Comparator.reverseOrder()).forEach(BuildTwice::delete);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only what makes the jars: the checks have passed, and everything needed is in the local repository. */
    private void build(List<Path> modules, Path maven, Path repository) throws IOException, InterruptedException {
        String script = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";
        ProcessBuilder builder = new ProcessBuilder(
                        maven.resolve("bin").resolve(script).toString(),
                        "--batch-mode",
                        "--quiet",
                        "--offline",
                        "--projects="
                                + String.join(
                                        ",",
                                        modules.stream().map(Path::toString).toList()),
                        "--also-make",
                        "-Dmaven.repo.local=" + repository,
                        "-Dmaven.legacyLocalRepo=true",
                        "-Dmaven.test.skip=true",
                        "-DskipTests=true",
                        "-Dmaven.javadoc.skip=true",
                        "-Dspotless.check.skip=true",
                        "-Denforcer.skip=true",
                        "-Derrorprone.skip",
                        "-Duser.timezone=Pacific/Kiritimati",
                        "-Duser.language=de",
                        "-Duser.country=AT",
                        "package")
                .directory(copy.toFile())
                .inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TZ", "Pacific/Kiritimati");
        builder.environment().keySet().removeAll(List.of("MAVEN_BASEDIR", "MAVEN_PROJECTBASEDIR", "MAVEN_ARGS"));
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new IOException("The second build failed with status " + status);
        }
    }

    private List<String> differences(Path module) throws IOException {
        List<String> differences = new ArrayList<>();
        List<Path> jars = jars(copy.resolve(module));
        if (jars.isEmpty()) {
            differences.add(module + ": the second build made no jar");
        }
        for (Path second : jars) {
            Path first = project.resolve(copy.relativize(second));
            String name = first.getFileName().toString();
            if (!Files.exists(first)) {
                differences.add(name + " is not there: build the whole project, not this module alone");
            } else if (Files.mismatch(first, second) == -1) {
                System.out.println(name + ": " + Files.size(first) + " bytes, the same twice");
            } else {
                differences.add(name + " DIFFERS from one build to the next, in " + differingEntries(first, second));
            }
        }
        return differences;
    }

    private static List<Path> jars(Path module) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static Set<String> differingEntries(Path first, Path second) throws IOException {
        try (JarFile one = new JarFile(first.toFile());
                JarFile other = new JarFile(second.toFile())) {
            Set<String> names = new TreeSet<>();
            Stream.concat(one.stream(), other.stream()).map(ZipEntry::getName).forEach(names::add);
            Set<String> differing = new TreeSet<>();
            for (String name : names) {
                if (!sameEntry(one, other, name)) {
                    differing.add(name);
                }
            }
            return differing.isEmpty() ? Set.of("the order or the headers of its entries") : differing;
        }
    }

    private static boolean sameEntry(JarFile one, JarFile other, String name) throws IOException {
        ZipEntry left = one.getEntry(name);
        ZipEntry right = other.getEntry(name);
        return left != null
                && right != null
                && left.getTime() == right.getTime()
                && Arrays.equals(
                        one.getInputStream(left).readAllBytes(),
                        other.getInputStream(right).readAllBytes());
    }
}
