package dev.syncguard.faults;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.client.Assignment;
import dev.syncguard.faults.client.ClientMain;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.history.Line;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.faults.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** The client processes of a round: they are started, stopped, killed and started again. */
final class Clients implements AutoCloseable {

    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);
    private static final long END_MILLIS = 60_000;

    /** What the clients of a round have in common. */
    record Setting(
            Path directory,
            TestStore store,
            int registerPort,
            FenceMode fenceMode,
            Duration commandTimeout,
            List<String> workloads,
            String classPath) {}

    private final Setting setting;
    private final HistoryWriter history;
    private final Random seeds;
    private final Child[] children;
    private final int[] lives;
    private final AtomicLongArray counts;
    private final AtomicLongArray closed;
    private volatile boolean ending;

    Clients(Setting setting, int count, long seed, HistoryWriter history) {
        this.setting = setting;
        this.history = history;
        this.seeds = new Random(seed);
        this.children = new Child[count];
        this.lives = new int[count];
        this.counts = new AtomicLongArray(2 * count);
        this.closed = new AtomicLongArray(count);
        IntStream.range(0, count).forEach(this::start);
    }

    private synchronized void start(int client) {
        lives[client]++;
        String process = process(client);
        List<String> arguments =
                assignment(process, client, setting.workloads()).arguments();
        long[] before = {counts.get(2 * client), counts.get(2 * client + 1)};
        children[client] = Child.start(
                OlderDrivers.classPath(client, setting.classPath() + Child.ownClassPath()),
                ClientMain.class,
                arguments,
                log(process),
                line -> count(client, before, line));
    }

    private Path log(String process) {
        return setting.directory().resolve(Judgement.LOGS).resolve(process + ".log");
    }

    private Assignment assignment(String process, int client, List<String> workloads) {
        return new Assignment(
                setting.directory(),
                process,
                setting.store().url(client),
                setting.registerPort(),
                seeds.nextLong(),
                setting.fenceMode(),
                workloads.contains("probe") ? PROBE_TIMEOUT : setting.commandTimeout(),
                workloads);
    }

    private String process(int client) {
        return "c" + client + "." + lives[client];
    }

    private void count(int client, long[] before, String line) {
        if (line.equals("closed")) {
            closed.set(client, 1);
        }
        String[] words = line.split(" ", -1);
        if (words[0].equals("count")) {
            counts.set(2 * client, before[0] + Long.parseLong(words[1]));
            counts.set(2 * client + 1, before[1] + Long.parseLong(words[2]));
        }
    }

    long operations() {
        return IntStream.range(0, children.length)
                .mapToLong(i -> counts.get(2 * i))
                .sum();
    }

    long grants() {
        return IntStream.range(0, children.length)
                .mapToLong(i -> counts.get(2 * i + 1))
                .sum();
    }

    /** Waits until all of them were granted a lock: then the store is set up, too. */
    boolean awaitWork(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            if (IntStream.range(0, children.length).allMatch(i -> counts.get(2 * i + 1) > 0)) {
                return true;
            }
            Pause.millis(20);
        }
        return false;
    }

    List<Fault> faults() {
        return List.of(Fault.of("client-stop", this::stop), Fault.of("client-kill-9", this::kill));
    }

    /** As a pause of its garbage collector, often longer than its leases last. */
    private void stop(Strike strike) {
        int client = strike.draw(children.length);
        strike.begin("c" + client);
        children[client].signal("STOP");
        strike.last(100, 1500);
        children[client].signal("CONT");
    }

    private void kill(Strike strike) {
        int client = strike.draw(children.length);
        strike.begin("c" + client);
        children[client].kill();
        history.write(Line.at(System.nanoTime(), process(client), "killed"));
        strike.last(0, 200);
        if (!ending) {
            start(client);
        }
    }

    /**
     * Tells all of them to end, and waits for it; one that does not is a finding.
     *
     * @param whenClosed runs as soon as none of them has a guard any more
     */
    void end(Runnable whenClosed) {
        ending = true;
        for (Child child : children) {
            child.signal("CONT");
            child.say("stop");
        }
        long limit = System.nanoTime() + END_MILLIS * 1_000_000;
        while (System.nanoTime() < limit
                && IntStream.range(0, children.length).anyMatch(i -> children[i].isAlive() && closed.get(i) == 0)) {
            Pause.millis(10);
        }
        whenClosed.run();
        for (int client = 0; client < children.length; client++) {
            if (!children[client].awaitEnd(END_MILLIS)) {
                children[client].signal("QUIT");
                history.write(
                        Line.at(System.nanoTime(), process(client), "stuck").put("note", "the process does not end"));
                children[client].awaitEnd(1000);
                children[client].kill();
            }
        }
    }

    /** Runs a client that asks for every key. */
    boolean probe() {
        List<String> arguments =
                assignment("probe.1", Integer.MAX_VALUE, List.of("probe")).arguments();
        try (Child probe = Child.start(
                setting.classPath() + Child.ownClassPath(), ClientMain.class, arguments, log("probe.1"), line -> {})) {
            return probe.awaitEnd(END_MILLIS);
        }
    }

    @Override
    public void close() {
        for (Child child : children) {
            if (child != null) {
                child.close();
            }
        }
    }
}
