package dev.syncguard.cli.demo;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.Style;
import dev.syncguard.fence.StaleFenceException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What happens in the demo. The account lives here, in the parent; the workers write by telling it so. */
final class Story implements AutoCloseable {

    private static final int AMOUNT = 100;

    private record Line(Worker worker, String text) {}

    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Account account = new Account();
    private final Stage stage;
    private @Nullable Worker paused;
    private int accepted;

    Story(Stage stage) {
        this.stage = stage;
    }

    void tell(Path store, List<String> names) throws IOException, InterruptedException {
        stage.headline("Three processes share an account. The lock lasts " + DemoWorker.TTL.toMillis()
                + " ms unless it is extended.");
        for (String name : names) {
            workers.add(Worker.start(name, store, (worker, text) -> lines.add(new Line(worker, text))));
        }
        int running = workers.size();
        while (running > 0) {
            Line line = lines.poll(30, TimeUnit.SECONDS);
            if (line == null) {
                throw new LockException(Code.INTERNAL, "the demo is stuck");
            }
            if (line.text().equals(Worker.GONE)) {
                running--;
            } else {
                happened(line.worker(), line.text().split(" ", 2));
            }
        }
        stage.headline(
                "The account holds " + balance() + ": every deposit that was made in time, and not the late one.");
    }

    private void happened(Worker worker, String[] words) throws IOException, InterruptedException {
        switch (words[0]) {
            case "waits" -> stage.say(worker.name(), Style.FAINT, "wants the lock");
            case "granted" -> granted(worker, words[1]);
            case "writes" -> writes(worker, Fence.parse(words[1]));
            case "lost" -> stage.say(worker.name(), Style.WARN, "learns from its lease that it was lost");
            default -> throw new LockException(Code.INTERNAL, "a worker of the demo failed");
        }
    }

    /**
     * The first one is stopped before it may write, and gets the permission when it is woken: a stop takes effect a moment
     * after the signal was sent, and a permission given in that moment would be used in time.
     */
    private void granted(Worker worker, String fence) throws IOException, InterruptedException {
        stage.say(worker.name(), Style.NAME, "has the lock, fence " + fence);
        if (paused == null) {
            paused = worker;
            worker.pause();
            stage.say(worker.name(), Style.WARN, "is paused (SIGSTOP), as by a long garbage collection");
        } else {
            worker.go();
        }
    }

    private void writes(Worker worker, Fence fence) throws IOException, InterruptedException {
        try {
            account.deposit(AMOUNT, fence);
        } catch (StaleFenceException stale) {
            stage.say(
                    "account",
                    Style.BAD,
                    "REFUSES " + worker.name() + ": fence " + stale.fence() + " is older than " + stale.highest());
            return;
        }
        accepted++;
        stage.say("account", Style.GOOD, "accepts " + AMOUNT + " from " + worker.name() + ", fence " + fence);
        if (accepted == workers.size() - 1 && paused != null) {
            paused.go();
            paused.resume();
            stage.say(paused.name(), Style.WARN, "wakes up, unaware of its loss, and writes");
        }
    }

    boolean isAsPromised() {
        return account.balance() == AMOUNT * (workers.size() - 1) && account.refused() == 1;
    }

    int balance() {
        return account.balance();
    }

    int refused() {
        return account.refused();
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
    }
}
