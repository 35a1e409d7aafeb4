package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.RetryPolicy;
import dev.syncguard.internal.AcquireMachine.Step;
import dev.syncguard.internal.ModelWaiter.State;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.Timekeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one key on the real {@link AcquireMachine}, {@link Line} and {@link WaitingRoom}. Nothing happens by itself:
 * every event is one atomic step on the calling thread, and any event that is enabled may be next.
 */
final class AcquireModel {

    /** What a scenario is made of; one that is under way begins with all waiters in the line and the first asking. */
    record Scenario(
            String name,
            boolean stepsWhileAsking,
            boolean queues,
            boolean signals,
            boolean underWay,
            int depth,
            List<RetryPolicy> policies) {}

    static final long MILLI = 1_000_000;
    static final long GRACE = 40 * MILLI;
    static final LockKey KEY = LockKey.of("k");
    private static final LockId ID = LockId.parse("0".repeat(22));

    final Scenario scenario;
    final List<ModelWaiter> waiters;
    final List<Runnable> subscriptions = new ArrayList<>();
    private final Clock clock = new Clock();
    private final GuardClock guardClock = new GuardClock(clock);
    private final WaitingRoom room;
    boolean closing;
    boolean leapt;
    int answers;

    @Nullable
    ModelWaiter holder;
    /** The key became free and the line heard of it: it must ask before it sleeps. */
    boolean mustAsk;

    AcquireModel(Scenario scenario) {
        this.scenario = scenario;
        this.waiters = IntStream.range(0, scenario.policies.size())
                .mapToObj(i -> new ModelWaiter(i, scenario.policies.get(i)))
                .toList();
        ReleaseSignals signals = (key, wakeUp) -> {
            subscriptions.add(wakeUp);
            return new ModelSubscription(() -> subscriptions.remove(wakeUp));
        };
        Reports reports = new Reports(clock, Runnable::run, Runnable::run, new LastResort(clock), null);
        this.room = new WaitingRoom(scenario.signals ? signals : null, reports);
        if (scenario.underWay) {
            waiters.forEach(this::enter);
            waiters.forEach(this::join);
            step(waiters.get(0));
        }
    }

    long now() {
        return clock.now;
    }

    // ---- events

    void enter(ModelWaiter waiter) {
        waiter.start = now();
        waiter.answersAtEntry = answers;
        waiter.machine = new AcquireMachine(waiter.policy, waiter, now(), GRACE);
        waiter.line = room.enter(KEY, waiter, now());
        waiter.state = State.ENTERED;
    }

    void join(ModelWaiter waiter) {
        waiter.machine.joined(waiter.line);
        waiter.state = State.READY;
    }

    void step(ModelWaiter waiter) {
        int more = (waiter.cancelled ? Waiter.CANCELLED : 0) | (closing ? Waiter.CLOSED : 0);
        Step step = waiter.machine.next(now(), waiter.takeNews() | more);
        Invariants.afterStep(this, waiter, step);
        switch (step) {
            case ASK -> {
                waiter.state = State.ASKING;
                waiter.sent = !scenario.queues;
                waiter.heldUp = waiter.asked == 0 ? Math.min(now() - waiter.start, waiter.timeout()) : 0;
                waiter.asked++;
                waiter.wakeAt = now() + waiter.machine.untilCallBackNanos(now());
                mustAsk = false;
            }
            case SLEEP -> {
                waiter.state = State.SLEEPING;
                waiter.wakeAt = now() + waiter.machine.wakeInNanos(now());
            }
            case AWAIT_REPLY -> waiter.wakeAt = Math.max(waiter.wakeAt, now() + 1);
            case CALL_BACK -> callBack(waiter);
            default -> leaving(waiter, step, false);
        }
    }

    private void callBack(ModelWaiter waiter) {
        waiter.wakeAt = Long.MAX_VALUE;
        if (!waiter.sent) {
            waiter.asked--;
            waiter.calledBack = true;
            waiter.machine.calledBack(now());
            waiter.state = State.READY;
        }
    }

    private static void leaving(ModelWaiter waiter, Step why, boolean withLease) {
        waiter.state = State.LEAVING;
        waiter.ending = why;
        waiter.withLease = withLease;
    }

    void grant(ModelWaiter waiter) {
        answers++;
        mustAsk = false;
        waiter.machine.ended(now());
        if (waiter.cancelled || closing) {
            release(); // a grant that no caller takes any more goes back
        } else {
            holder = waiter;
        }
        leaving(waiter, Step.ASK, holder == waiter);
    }

    void contend(ModelWaiter waiter, long grantableInMs) {
        answers++;
        waiter.machine.contended(now(), grantableInMs);
        waiter.state = State.READY;
        room.subscribe(KEY, waiter.line);
    }

    void fail(ModelWaiter waiter) {
        leaving(waiter, Step.ASK, false);
    }

    void leave(ModelWaiter waiter) {
        LockOptions options = LockOptions.defaults();
        LeaseState lease = waiter.withLease
                ? new LeaseState(
                        guardClock,
                        KEY,
                        options,
                        new Granted(ID, new Fence(1), 0, options.ttl().millis()),
                        now(),
                        0,
                        1,
                        null)
                : null;
        room.leave(KEY, waiter.line, waiter, lease);
        waiter.state = State.GONE;
    }

    void release() {
        mustAsk = waiters.stream().anyMatch(w -> w.state != State.ABSENT && w.state != State.GONE);
        holder = null;
        room.released(KEY);
    }

    void signal() {
        subscriptions.get(0).run();
    }

    void cancel(ModelWaiter waiter) {
        waiter.cancelled = true;
        waiter.tell(Waiter.CANCELLED);
    }

    void close() {
        closing = true;
        room.tellAll(Waiter.CLOSED);
    }

    void passTime(long until) {
        clock.now = until;
    }

    /** What two histories have in common if the same may follow. */
    String describe() {
        StringBuilder all = new StringBuilder();
        all.append(now())
                .append(closing)
                .append(leapt)
                .append(answers)
                .append(mustAsk)
                .append(holder)
                .append(subscriptions.size());
        waiters.forEach(waiter -> all.append('|').append(waiter.describe()));
        waiters.stream()
                .map(w -> w.line)
                .distinct()
                .forEach(line -> all.append('|').append(Fields.of(line, Line.class)));
        return all.toString();
    }

    private record ModelSubscription(Runnable end) implements ReleaseSignals.Subscription {
        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public void close() {
            end.run();
        }
    }

    private static final class Clock implements Timekeeper {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long currentTimeMillis() {
            return now / MILLI;
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
