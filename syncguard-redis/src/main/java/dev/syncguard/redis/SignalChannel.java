package dev.syncguard.redis;

import dev.syncguard.spi.support.WakeUp;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** The channel of one lock, and who waits for its release here. */
final class SignalChannel extends Channel {

    /** How much later than the first one the other processes look. */
    private static final long LATER_MS = 50;

    /** What a release of ours publishes. Anything else is a stranger's, and is never written to the store. */
    private static final Pattern TOKENS = Pattern.compile("[A-Za-z0-9_-]{8}( [A-Za-z0-9_-]{8}){0,63}");

    private final String token;
    private final ScheduledExecutorService timer;
    private final List<WakeUp> subscriptions = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> others = new AtomicReference<>("");
    private final AtomicBoolean later = new AtomicBoolean();

    SignalChannel(String name, String token, ScheduledExecutorService timer) {
        super(name);
        this.token = token;
        this.timer = timer;
    }

    void add(WakeUp subscription) {
        subscriptions.add(subscription);
    }

    void remove(WakeUp subscription) {
        leaves();
        subscriptions.remove(subscription);
    }

    @Override
    boolean isEmpty() {
        return subscriptions.isEmpty();
    }

    String takeOthers() {
        return others.getAndSet("");
    }

    /**
     * The lock was released while these waited, oldest first. Who stands before this process has had its chance by the
     * time it looks later: only those behind it move on, so that a process that died drops out.
     */
    @Override
    void message(String tokens) {
        if (!TOKENS.matcher(tokens).matches()) {
            wake();
            return;
        }
        int at = tokens.indexOf(token);
        if (at >= 0) {
            others.set(tokens.substring(at + token.length()).strip());
        }
        if (at == 0) {
            wake();
        } else if (!subscriptions.isEmpty() && later.compareAndSet(false, true)) {
            long delay = LATER_MS + ThreadLocalRandom.current().nextLong(LATER_MS);
            var unused = timer.schedule(this::wakeLater, delay, TimeUnit.MILLISECONDS);
        }
    }

    private void wakeLater() {
        later.set(false);
        wake();
    }

    @Override
    void wake() {
        subscriptions.forEach(WakeUp::wake);
    }
}
