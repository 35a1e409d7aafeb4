package dev.syncguard.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Run once for each JDK: lets it archive the classes of the usual commands (AppCDS), which halves the time of each start.
 * Uses nothing but the JDK. A JDK that cannot do it leaves no archive, and the command starts without one.
 */
final class ClassArchives {

    private final String java;
    private final Path home;
    private final Path archives;

    private ClassArchives(String java, Path home, Path archives) {
        this.java = java;
        this.home = home;
        this.archives = archives;
    }

    /**
     * Makes the archives.
     *
     * @param args the JVM, the installation, and the name of this JDK's archives there
     * @throws IOException if files cannot be written
     * @throws InterruptedException if that happens
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path home = Path.of(args[1]);
        Path archives = home.resolve("archive").resolve(args[2]);
        Files.createDirectories(archives);
        ClassArchives maker = new ClassArchives(args[0], home, archives);
        maker.make("base");
        maker.make("redis");
    }

    private void make(String store) throws IOException, InterruptedException {
        String classPath =
                Files.readString(home.resolve("lib/classpath-" + store)).strip();
        List<String> start = new ArrayList<>(List.of(java));
        start.addAll(Files.readAllLines(home.resolve("lib/flags")));
        if (Runtime.version().feature() >= 22) {
            start.add("--enable-native-access=ALL-UNNAMED");
        }
        start.add("-cp");
        start.add(List.of(classPath.split(":", -1)).stream()
                .map(jar -> home.resolve("lib").resolve(jar).toString())
                .collect(Collectors.joining(File.pathSeparator)));
        Path list = archives.resolve(store + ".classes");
        Path made = archives.resolve(store + ".new");
        boolean isCache = Runtime.version().feature() >= 25;
        boolean isListed = run(start, isCache ? recording(list) : listing(list), rehearsal(store)) == 0;
        boolean isMade = isListed && run(start, isCache ? caching(list, made) : dumping(list, made), List.of()) == 0;
        Files.deleteIfExists(list);
        if (isMade) {
            String kind = isCache ? ".aot" : ".jsa";
            Files.move(made, archives.resolve(store + kind), StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.deleteIfExists(made);
        }
    }

    /** JDK 25 and newer link the classes of an archive in advance, which saves another sixth of a start. */
    private static List<String> recording(Path list) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + list);
    }

    private List<String> caching(Path list, Path made) {
        return quietly("-XX:AOTMode=create", "-XX:AOTConfiguration=" + list, "-XX:AOTCache=" + made);
    }

    private static List<String> listing(Path list) {
        return List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + list);
    }

    private List<String> dumping(Path list, Path made) {
        return quietly("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + made);
    }

    private List<String> quietly(String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.add("-XX:-CreateCoredumpOnCrash");
        all.add("-XX:ErrorFile=" + archives.resolve("crash.log"));
        all.add("-Xlog:disable");
        return all;
    }

    private List<String> rehearsal(String store) {
        return List.of("dev.syncguard.cli.Rehearsal", home.toString(), store);
    }

    private int run(List<String> start, List<String> flags, List<String> program)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(start);
        command.addAll(1, flags);
        command.addAll(program);
        Path state = Files.createTempDirectory("rehearsal");
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("SYNCGUARD_") || name.startsWith("JAVA_TOOL"));
        environment.put("XDG_STATE_HOME", state.toString());
        environment.put("XDG_CONFIG_HOME", state.toString());
        int code = builder.start().waitFor();
        try (var files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        return code;
    }
}
