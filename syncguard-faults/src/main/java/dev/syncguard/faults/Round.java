package dev.syncguard.faults;

import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.history.Event;
import dev.syncguard.faults.history.Histories;
import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Nemesis;
import dev.syncguard.faults.register.RegisterMain;
import dev.syncguard.faults.store.Leftovers;
import dev.syncguard.faults.store.TestStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One round: clients work while the nemesis strikes; then everything is healed, the clients end, a probe asks for every key,
 * and the histories are judged.
 */
final class Round {

    private static final long START_MILLIS = 60_000;
    private static final long EMPTY_MILLIS = 9_000;

    private final TestStore store;
    private final Plan plan;
    private final Path directory;
    private final Progress progress;
    private final HistoryWriter history;
    private volatile @Nullable Clients working;
    private volatile boolean aborted;

    Round(TestStore store, Plan plan, Path directory, Progress progress) {
        this.store = store;
        this.plan = plan;
        this.directory = directory;
        this.progress = progress;
        this.history = new HistoryWriter(directory, "nemesis");
    }

    Judgement run() {
        CompletableFuture<String> port = new CompletableFuture<>();
        Path log = directory.resolve(Judgement.LOGS).resolve("register.log");
        Child register = Child.start(
                plan.classPath() + Child.ownClassPath(),
                RegisterMain.class,
                List.of(directory.toString()),
                log,
                port::complete);
        try {
            work(Integer.parseInt(first(port).split(" ", -1)[1]));
        } finally {
            register.close();
        }
        history.close();
        progress.say("judging " + directory.getFileName());
        Judgement judgement = Judgement.of(directory);
        judgement = aborted ? judgement.ofUnfinished() : judgement;
        progress.judged(judgement);
        return judgement;
    }

    /** Its time is over: ends the clients, wherever they are. */
    void abort() {
        aborted = true;
        Clients clients = working;
        if (clients != null) {
            clients.close();
        }
    }

    private static String first(CompletableFuture<String> line) {
        try {
            return line.get(START_MILLIS, TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the register does not start", e);
        }
    }

    private void work(int registerPort) {
        Clients.Setting setting = new Clients.Setting(
                directory,
                store,
                registerPort,
                plan.fenceMode(),
                store.commandTimeout(),
                plan.workloads(),
                plan.classPath());
        try (Clients clients = new Clients(setting, plan.clients(), plan.seed(), history)) {
            working = clients;
            if (!clients.awaitWork(START_MILLIS)) {
                broken("a client does not start to work");
            }
            strike(clients);
            store.heal();
            if (aborted) {
                return;
            }
            clients.end(this::tellLeftovers);
            history.write(history.line("healed"));
            probe(clients, keys());
            tellEnd();
        }
    }

    private void broken(String what) {
        history.write(history.line("broken").put("note", what));
    }

    /** Two at once: one strikes clients, one strikes the store and the network. */
    private void strike(Clients clients) {
        List<Fault> ofClients = plan.faults().apply(store, clients.faults());
        List<Fault> ofStore = plan.faults().apply(store, store.faults(plan.fenceMode()));
        Nemesis first = new Nemesis(history, ofClients, plan.seed(), 25 * plan.pauseMillis());
        Nemesis second = new Nemesis(history, ofStore, plan.seed() + 1, plan.pauseMillis());
        Thread firstThread = first.start("nemesis-clients");
        Thread secondThread = second.start("nemesis-store");
        long end = System.nanoTime() + plan.length().toNanos();
        while (System.nanoTime() < end && !aborted) {
            progress.show(
                    clients.operations(),
                    clients.grants(),
                    first.inflicted() + second.inflicted(),
                    TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime()));
            Pause.millis(100);
        }
        first.stop();
        second.stop();
        join(firstThread);
        join(secondThread);
        progress.add(clients.operations(), clients.grants(), first.inflicted() + second.inflicted());
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is left when no client has a guard any more, lock by lock. */
    private void tellLeftovers() {
        Leftovers left = store.leftovers();
        for (Leftovers.Lock lock : left.locks()) {
            if (lock.isLive()) {
                history.write(history.line("leftover").put("key", lock.key()).put("id", hash(lock.lockId())));
            }
        }
        tell(left, "closed");
    }

    /** Every key that anybody asked for. */
    private Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        for (Event event : Histories.read(directory)) {
            if (event.is("invoke", "acquire")) {
                keys.add(event.key());
            }
        }
        return keys;
    }

    private void probe(Clients clients, Set<String> keys) {
        List<String> lines = new ArrayList<>();
        keys.forEach(key -> lines.add(key.replace("\\", "\\b").replace("\n", "\\n")));
        try {
            Files.write(directory.resolve("keys.txt"), lines, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!clients.probe()) {
            history.write(history.line("stuck").put("note", "the probe does not end"));
        }
    }

    /** What belongs to abandoned leases goes by itself, at the latest when the longest of them has expired. */
    private void tellEnd() {
        Leftovers left = store.leftovers();
        long end = System.nanoTime() + EMPTY_MILLIS * 1_000_000;
        while (left.count() > 0 && System.nanoTime() < end) {
            Pause.millis(50);
            left = store.leftovers();
        }
        tell(left, "end");
    }

    private void tell(Leftovers left, String phase) {
        history.write(history.line("leftovers")
                .put("phase", phase)
                .put("locks", left.count())
                .put("counters", left.counters())
                .put("keys", left.locks().stream().map(Leftovers.Lock::key).toList())
                .put("note", String.join("; ", left.others())));
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
