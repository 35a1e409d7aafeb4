import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes to the given properties file where the newest released JDK of this machine is, if it is newer than the one
 * that runs this program; the build then runs the tests again on it.
 *
 * <p>Looked at: the variables {@code JAVA_HOME}, {@code JAVA_HOME_*}, {@code JDK_HOME}, and where operating systems
 * and JDK managers put theirs.
 */
public final class NewestJdk {
    private static final List<String> PLACES = List.of(
            "/usr/lib/jvm",
            "/usr/java",
            "/opt/java",
            "/Library/Java/JavaVirtualMachines",
            "/opt/homebrew/opt",
            "/usr/local/opt",
            "C:/Program Files/Java",
            "C:/Program Files/Eclipse Adoptium",
            "~/Library/Java/JavaVirtualMachines",
            "~/.sdkman/candidates/java",
            "~/.jdks",
            "~/.gradle/jdks",
            "~/.jenv/versions",
            "~/.asdf/installs/java",
            "~/.local/share/mise/installs/java");

    /** Where the home of a JDK is, seen from its directory; the second and third are macOS bundles. */
    private static final List<String> HOMES = List.of("", "Contents/Home", "libexec/openjdk.jdk/Contents/Home");

    private record Jdk(Path java, Runtime.Version version) {}

    public static void main(String[] args) throws IOException {
        Optional<Jdk> newest = newest();
        Files.write(
                Path.of(args[0]),
                List.of(
                        "newestJdk.none=" + newest.isEmpty(),
                        "newestJdk.java="
                                + newest.map(jdk -> jdk.java.toString().replace('\\', '/'))
                                        .orElse("")));
        newest.ifPresentOrElse(
                jdk -> System.out.println("The tests run again on JDK " + jdk.version + ": " + jdk.java),
                () -> System.err.println("*** NO SECOND TEST RUN: no released JDK newer than " + Runtime.version()
                        + " was found on this machine ***"));
    }

    private static Optional<Jdk> newest() throws IOException {
        return candidates().stream()
                .map(NewestJdk::jdk)
                .flatMap(Optional::stream)
                .filter(jdk -> jdk.version.feature() > Runtime.version().feature())
                .sorted(Comparator.comparing(Jdk::version).reversed())
                .filter(NewestJdk::starts)
                .findFirst();
    }

    private static List<Path> candidates() throws IOException {
        List<Path> candidates = new ArrayList<>();
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            if (variable.getKey().matches("JAVA_HOME.*|JDK_HOME")
                    && !variable.getValue().isBlank()) {
                candidates.add(Path.of(variable.getValue()));
            }
        }
        for (String place : PLACES) {
            candidates.addAll(children(Path.of(
                    place.replaceFirst("^~", System.getProperty("user.home").replace('\\', '/')))));
        }
        return candidates;
    }

    private static List<Path> children(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        if (Files.isDirectory(directory) && Files.isReadable(directory)) {
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
                stream.forEach(children::add);
            }
        }
        return children;
    }

    private static Optional<Jdk> jdk(Path directory) {
        return HOMES.stream()
                .map(directory::resolve)
                .filter(home -> Files.isReadable(home.resolve("release")))
                .findFirst()
                .flatMap(home -> released(home).map(version -> new Jdk(java(home), version)));
    }

    /** The version that the {@code release} file of every JDK names; empty for early access and unreadable ones. */
    private static Optional<Runtime.Version> released(Path home) {
        try {
            return Files.readAllLines(home.resolve("release")).stream()
                    .filter(line -> line.startsWith("JAVA_RUNTIME_VERSION=") || line.startsWith("JAVA_VERSION="))
                    .sorted() // JAVA_RUNTIME_VERSION, which says -ea, before JAVA_VERSION
                    .map(line -> line.substring(line.indexOf('=') + 1)
                            .replace("\"", "")
                            .strip())
                    .findFirst()
                    .map(Runtime.Version::parse)
                    .filter(version -> version.pre().isEmpty());
        } catch (IOException | IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static Path java(Path home) {
        return home.resolve("bin")
                .resolve(File.separatorChar == '\\' ? "java.exe" : "java")
                .toAbsolutePath();
    }

    private static boolean starts(Jdk jdk) {
        try {
            return new ProcessBuilder(jdk.java.toString(), "-version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notExecutable) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
