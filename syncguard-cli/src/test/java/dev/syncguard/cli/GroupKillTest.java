package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.syncguard.cli.run.Executable;
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

/** Whatever is killed, and in whatever order: the command is gone before the lock can be granted again. */
class GroupKillTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    /** Writes the ids of the command and of a child of it in a process group of its own; neither cares for TERM. */
    private static final String STUBBORN = "trap '' TERM; set -m; (exec sleep 300) & echo $$ $! > \"$DIR/pids.new\";"
            + " mv \"$DIR/pids.new\" \"$DIR/pids\"; while :; do sleep 0.1; done";

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        assumeTrue(Executable.check("setsid") == 0, "there is no setsid command");
        cli = Cli.onFile(directory).with("DIR", directory.toString());
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        if (Files.exists(directory.resolve("pids"))) {
            pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    /** In a session and process group of its own, as a supervisor or a CI runner starts things. */
    private Cli.Running startGroup(String command) {
        return cli.with("COMMAND", command)
                .startShell("exec setsid \"$SG\" run k --ttl 8s --grace 2s -- bash -c \"$COMMAND\"");
    }

    private List<Long> pids() throws IOException {
        Path file = directory.resolve("pids");
        await().atMost(LONG).until(() -> Files.exists(file));
        return Stream.of(Files.readString(file).strip().split(" ", -1))
                .map(Long::valueOf)
                .toList();
    }

    /** Waits until the lock is free; then the command must have gone already. */
    private void assertGoneWhenGranted(List<Long> pids) {
        await().atMost(LONG).until(() -> cli.run("acquire", "k", "--ttl", "10m").code() == 0);
        assertThat(pids).as("processes that run beside the next holder").noneMatch(Cli::isAlive);
    }

    private static long watchdogOf(Cli.Running running) {
        return watchdogsOf(running).findFirst().orElseThrow();
    }

    /** None for a moment, after one was killed. */
    private static Stream<Long> watchdogsOf(Cli.Running running) {
        return running.process()
                .children()
                .filter(child ->
                        child.info().arguments().stream().flatMap(Stream::of).anyMatch("lock-watchdog"::equals))
                .map(ProcessHandle::pid);
    }

    @Test
    @DisplayName("kill -9 of the process group: the watchdog is not in it, and ends the command")
    void group() throws IOException {
        Cli.Running running = startGroup(STUBBORN);
        List<Long> pids = pids();
        Cli.signal("KILL", -running.process().pid());
        running.await().exits(137);
        assertGoneWhenGranted(pids);
    }

    @Test
    @DisplayName("SIGSTOP of the process group: the watchdog kills the command when the lease ends")
    void frozen() throws IOException {
        Cli.Running running = startGroup(STUBBORN);
        List<Long> pids = pids();
        Cli.signal("STOP", -running.process().pid());
        assertGoneWhenGranted(pids);
        Cli.signal("CONT", -running.process().pid());
        // "is lost" or "was lost": whether it looks at its lease or at the dead command first is a race.
        assertThat(running.await().exits(79).err())
                .containsPattern("the lock \"k\" (is|was) lost")
                .contains("syncguard was paused for");
    }

    @Test
    @DisplayName("the watchdog is killed, then the process: a second watchdog was there")
    void watchdogFirst() throws IOException {
        Cli.Running running = startGroup(STUBBORN);
        List<Long> pids = pids();
        long watchdog = watchdogOf(running);
        Cli.signal("KILL", watchdog);
        await().atMost(LONG)
                .until(() -> !Cli.isAlive(watchdog) && watchdogsOf(running).anyMatch(pid -> pid != watchdog));
        assertThat(Cli.isAlive(pids.get(0)))
                .as("nothing happens to the command")
                .isTrue();
        Cli.signal("KILL", running.process().pid());
        assertGoneWhenGranted(pids);
    }

    @Test
    @DisplayName("both killed at once: the system itself sends TERM where it can")
    void both() throws IOException {
        assumeTrue(cli.shell("setpriv --pdeathsig TERM true").code() == 0, "there is no setpriv --pdeathsig");
        Cli.Running running =
                startGroup("echo $$ > \"$DIR/pids.new\"; mv \"$DIR/pids.new\" \"$DIR/pids\"; exec sleep 300");
        List<Long> pids = pids();
        cli.shell("kill -9 " + watchdogOf(running) + " " + running.process().pid())
                .exits(0);
        assertGoneWhenGranted(pids);
    }

    @Test
    @DisplayName("everything that says syncguard is killed: the watchdog does not say it")
    void byName() throws IOException {
        Cli.Running running = startGroup(STUBBORN);
        List<Long> pids = pids();
        String arguments = String.join(
                " ",
                ProcessHandle.of(watchdogOf(running))
                        .orElseThrow()
                        .info()
                        .arguments()
                        .orElseThrow());
        assertThat(arguments).doesNotContainIgnoringCase("syncguard").doesNotContain("java");
        running.signal("KILL");
        assertGoneWhenGranted(pids);
    }

    @Test
    @DisplayName("killed before the command asked for the kernel's signal: the watchdog finds the command")
    void beforeTheCommandIsKnown() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "there is no /proc");
        assumeTrue(cli.shell("setpriv --pdeathsig TERM true").code() == 0, "there is no setpriv --pdeathsig");
        Path setpriv = Files.createDirectory(directory.resolve("bin")).resolve("setpriv");
        // The command's own one kills its parent first: what kill -9 does in the moment after the fork.
        Files.writeString(setpriv, """
                #!/bin/bash
                if [ "${*: -1}" != true ]; then
                  echo $$ > "$DIR/pids"
                  kill -KILL $PPID
                  while kill -0 $PPID; do sleep 0.01; done 2> /dev/null
                fi
                PATH=${PATH#*:} exec setpriv "$@"
                """);
        assertThat(setpriv.toFile().setExecutable(true)).isTrue();
        Cli.Running running =
                cli.startShell("PATH=\"$DIR/bin:$PATH\" exec setsid \"$SG\" run k --ttl 8s --grace 2s -- sleep 300");
        running.await().exits(137);
        assertGoneWhenGranted(pids());
    }
}
