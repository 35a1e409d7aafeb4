package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.syncguard.cli.run.Executable;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watchdog that is stopped, slow or short of tools, and commands that leave something behind. */
class StubbornWatchdogTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String PIDS = "echo $$ $! > \"$DIR/pids.new\"; mv \"$DIR/pids.new\" \"$DIR/pids\"; ";

    /** A child in a process group of its own that does not care for TERM. */
    private static final String CHILD = "set -m; (trap '' TERM; exec sleep 300) & " + PIDS;

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() throws IOException {
        assumeTrue(Executable.check("setsid") == 0, "there is no setsid command");
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "there is no /proc");
        cli = Cli.onFile(directory).with("DIR", directory.toString());
        Files.createDirectory(directory.resolve("bin"));
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        if (Files.exists(directory.resolve("pids"))) {
            pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    private List<Long> pids() throws IOException {
        Path file = directory.resolve("pids");
        await().atMost(LONG).until(() -> Files.exists(file));
        return Stream.of(Files.readString(file).strip().split(" ", -1))
                .map(Long::valueOf)
                .toList();
    }

    private static long watchdogOf(Cli.Running running) {
        return running.process()
                .children()
                .filter(child ->
                        child.info().arguments().stream().flatMap(Stream::of).anyMatch("lock-watchdog"::equals))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static void awaitDeath(List<Long> pids) {
        await().atMost(LONG).until(() -> pids.stream().noneMatch(Cli::isAlive));
    }

    /** Puts a program before all others of its name. */
    private Cli withTool(String name, String script) throws IOException {
        Path tool = Files.writeString(directory.resolve("bin").resolve(name), "#!/bin/bash\n" + script);
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        return cli.with("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    }

    @Test
    @DisplayName("without pkill: a child in a process group of its own does not survive kill -9 either")
    void noPkill() throws IOException {
        Cli.Running running = withTool("pkill", "exit 127\n")
                .start("run", "k", "--ttl", "8s", "--grace", "1s", "--", "bash", "-c", CHILD + "wait");
        List<Long> pids = pids();
        running.signal("KILL");
        running.await().exits(137);
        awaitDeath(pids);
    }

    @Test
    @DisplayName("a stopped watchdog swallows no signal")
    void stopped() throws IOException {
        Cli.Running running = cli.start("run", "k", "--ttl", "60s", "--", "bash", "-c", "sleep 300 & " + PIDS + "wait");
        List<Long> pids = pids();
        Cli.signal("STOP", watchdogOf(running));
        running.signal("TERM");
        running.await().exits(143);
        awaitDeath(pids);
    }

    @Test
    @DisplayName("the store fails, and the command ends at TERM: its child that ignores TERM is gone as well")
    void childOfPoliteCommand() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            Cli.Running running = Cli.on(redis.url())
                    .with("DIR", directory.toString())
                    .start("run", "k", "--ttl", "6s", "--grace", "3s", "--", "bash", "-c", CHILD + "wait");
            List<Long> pids = pids();
            redis.freeze();
            try {
                running.await().exits(79);
                awaitDeath(pids);
            } finally {
                redis.thaw();
            }
        }
    }

    @Test
    @DisplayName("a lease that is lost before the command is started: the command is not started")
    void lostBeforeStart() throws IOException {
        Cli slow = withTool("setpriv", "touch \"${0%/*}/asked\"; until [ -e \"${0%/*}/go\" ]; do sleep 0.05; done\n");
        Cli.Running running = slow.start("run", "k", "--ttl", "2s", "--", "touch", directory + "/ran");
        await().atMost(LONG).until(() -> cli.run("status", "k").code() == 0);
        running.signal("STOP");
        await().atMost(LONG).until(() -> cli.run("acquire", "k", "--ttl", "10m").code() == 0);
        Files.createFile(directory.resolve("bin/go"));
        running.signal("CONT");
        assertThat(running.await().exits(79).err()).contains("the lock \"k\" was lost before the command was started");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("a watchdog that never gets ready: the command is not run")
    void neverReady() throws IOException {
        Cli slow = withTool("setpriv", "exec sleep 300\n");
        Cli.Running running = slow.start("run", "k", "--ttl", "5s", "--", "touch", directory + "/ran");
        assertThat(running.await().exits(3).err()).contains("the command was not run");
        assertThat(directory.resolve("ran")).doesNotExist();
        cli.run("status", "k").exits(1);
    }
}
