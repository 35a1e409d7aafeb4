package dev.syncguard.faults.client;

import dev.syncguard.LockException;
import dev.syncguard.SyncGuard;
import dev.syncguard.faults.Life;
import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.register.RegisterClient;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.Driver;

/** A client process: works until it is told to stop or is killed. */
public final class ClientMain {

    private static final long GAP_NANOS = 25_000_000;
    private static final long BACKGROUND_NANOS = 15_000_000_000L;
    private static final long JOIN_MILLIS = 30_000;

    private final Assignment assignment;
    private final Steps steps;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<LoggedGuard> guards = new ArrayList<>();
    private final List<LoggedGuard> smallGuards = new ArrayList<>();

    private ClientMain(Assignment assignment) {
        this.assignment = assignment;
        this.steps = new Steps(new HistoryWriter(assignment.directory(), assignment.process()));
    }

    /**
     * Starts a client.
     *
     * @param args its assignment
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws InterruptedException {
        ClientMain client = new ClientMain(Assignment.parse(args));
        Life.endsWithInput(line -> client.stopping.set(true));
        client.run();
        System.out.println("done");
        Runtime.getRuntime().halt(0);
    }

    private void run() throws InterruptedException {
        steps.write(steps.line("start")
                .put("wall", System.currentTimeMillis())
                .put(
                        "note",
                        "Lettuce " + RedisClient.class.getPackage().getImplementationVersion() + ", pgjdbc "
                                + Driver.class.getPackage().getImplementationVersion()));
        Life.thread("gaps", this::watchForGaps);
        Life.thread("counts", this::tellCounts);
        warmUp();
        Resources before = Resources.now();
        boolean isProbe = assignment.workloads().contains("probe");
        open(guards, 2, 8);
        if (assignment.workloads().contains(Workloads.W9.name())) {
            open(smallGuards, 2, 2);
        }
        if (isProbe) {
            Probe.run(assignment, guards);
        } else {
            join(work());
        }
        close();
        System.out.println("closed");
        tellResources(before);
        steps.write(steps.line("end"));
    }

    /** Threads that drivers keep for good are there after a first use, and classes are loaded. */
    private void warmUp() {
        try {
            new RegisterClient(assignment.registerPort()).close();
        } catch (IOException e) {
            steps.say(e);
        }
        while (!stopping.get()) {
            try (SyncGuard guard = SyncGuard.of(Backends.open(assignment, 2))) {
                LoggedGuard logged = new LoggedGuard(guard, steps);
                String key = Scene.PREFIX + "first-" + assignment.process();
                LoggedLease first = logged.acquireAsync(key, Scene.options(5000, 0));
                if (first != null) {
                    first.believes();
                    first.release();
                    return;
                }
                Pause.millis(50);
            } catch (RuntimeException e) {
                steps.say(e);
                Pause.millis(50);
            }
        }
    }

    private void open(List<LoggedGuard> into, int count, int poolSize) {
        while (into.size() < count) {
            try {
                into.add(new LoggedGuard(SyncGuard.of(Backends.open(assignment, poolSize)), steps));
            } catch (RuntimeException e) {
                steps.say(e);
                Pause.millis(50);
            }
        }
    }

    private List<Thread> work() {
        List<Thread> threads = new ArrayList<>();
        Random seeds = new Random(assignment.seed());
        for (String name : assignment.workloads()) {
            Workloads kind = Workloads.valueOf(name);
            for (int i = 0; i < kind.threads(); i++) {
                Scene scene = new Scene(
                        assignment,
                        kind.isSmall() ? smallGuards : guards,
                        stopping,
                        threads.size(),
                        new Random(seeds.nextLong()));
                threads.add(Life.thread(kind.name(), () -> loop(kind.create(), scene)));
            }
        }
        return threads;
    }

    private void loop(Workload workload, Scene scene) {
        while (!stopping.get()) {
            try {
                workload.once(scene);
            } catch (LockException e) {
                steps.say(e); // a guard that could not be opened
                Pause.millis(100);
            } catch (Throwable e) {
                if (!stopping.get()) {
                    steps.write(steps.line("broken").put("note", e.toString()));
                    steps.say(e);
                    Pause.millis(100);
                }
            }
        }
        try {
            scene.end();
        } catch (IOException e) {
            steps.say(e);
        }
    }

    private void join(List<Thread> threads) throws InterruptedException {
        while (!stopping.get()) {
            Pause.millis(20);
        }
        long end = System.nanoTime() + JOIN_MILLIS * 1_000_000;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                StringBuilder stack = new StringBuilder(thread.getName());
                for (StackTraceElement element : thread.getStackTrace()) {
                    stack.append(" < ").append(element);
                }
                steps.write(steps.line("stuck").put("note", stack.toString()));
            }
        }
    }

    /** Not before the background is done, so that closing has no reason to leave anything. */
    private void close() {
        List<LoggedGuard> all = new ArrayList<>(guards);
        all.addAll(smallGuards);
        long limit = System.nanoTime() + BACKGROUND_NANOS;
        while (System.nanoTime() < limit
                && all.stream().anyMatch(guard -> guard.guard().pendingReleases() > 0)) {
            Pause.millis(20);
        }
        long start = System.nanoTime();
        all.forEach(guard -> guard.guard().close());
        steps.closed("", System.nanoTime() - start, assignment.closeLimit());
    }

    /** Threads may take a moment to end. */
    private void tellResources(Resources before) {
        Resources now = Resources.now();
        for (int i = 0; i < 50 && !now.isWithin(before); i++) {
            Pause.millis(100);
            now = Resources.now();
        }
        if (now.sockets().size() > before.sockets().size()) {
            now = collected(now);
        }
        Map<String, Integer> threads = now.threadsBeyond(before);
        resource(
                "threads", threads.values().stream().mapToInt(Integer::intValue).sum(), threads.toString());
        resource(
                "sockets",
                Math.max(0, now.sockets().size() - before.sockets().size()),
                now.sockets().toString());
        resource("pool", Backends.leftInPools(), "");
    }

    /** A driver may leave a plain socket that it has given up to the collector: that is told, but it is no leak. */
    private Resources collected(Resources before) {
        for (int i = 0; i < 10; i++) {
            System.gc();
            Pause.millis(100);
        }
        Resources now = Resources.now();
        resource("left to the collector", 0, before.sockets() + " then " + now.sockets());
        return now;
    }

    private void resource(String kind, int count, String note) {
        steps.write(
                steps.line("resources").put("kind", kind).put("locks", count).put("note", note));
    }

    /** What the whole process missed cannot be blamed on anyone. */
    private void watchForGaps() {
        long last = System.nanoTime();
        while (true) {
            Pause.millis(5);
            long now = System.nanoTime();
            if (now - last > GAP_NANOS) {
                steps.write(steps.lineAt(last, "gap").put("until", now));
            }
            last = now;
        }
    }

    private void tellCounts() {
        while (true) {
            System.out.println("count " + steps.operations() + " " + steps.grants());
            Pause.millis(250);
        }
    }
}
