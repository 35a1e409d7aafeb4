package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.CallProxy.Interceptor;
import dev.syncguard.CallProxy.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole life of a guard, again and again, while something goes wrong at each call of the backend in turn. */
@Tag("once")
class EveryCallTest {

    private static final int AT_ONCE = 32;
    private static final Pattern UPKEEP = Pattern.compile("syncguard-(upkeep|timer|background)");
    private static final Set<String> TOLD = Set.of(
            "newLockId",
            "acquire",
            "extend",
            "isLocked",
            "findByKey",
            "findById",
            "listing",
            "list",
            "diagnostics",
            "inspect");

    /** How a call fails. */
    enum Fault {
        ERROR,
        UNCHECKED,
        ERROR_IN_STAGE;

        boolean isPossible(Point point) {
            return this != ERROR_IN_STAGE || point.method().startsWith("AsyncLockBackend");
        }

        Throwable create() {
            return this == UNCHECKED ? new IllegalArgumentException("injected") : new NoClassDefFoundError("injected");
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @Rule("FLT-1")
    @DisplayName("a failure of any kind at any call of the backend leaves no lock, no thread and no hanging stage (C3)")
    void failures(boolean nativeAsync, boolean asyncView) throws Throwable {
        List<Runnable> lives = new ArrayList<>();
        for (Point point : points(nativeAsync, asyncView)) {
            for (Fault fault : Fault.values()) {
                for (boolean before : List.of(true, false)) {
                    if (fault.isPossible(point)) {
                        lives.add(() -> liveThrough(point, fault, before, nativeAsync, asyncView));
                    }
                }
            }
        }
        runAll("failures", lives);
    }

    private static void liveThrough(Point at, Fault fault, boolean before, boolean nativeAsync, boolean asyncView) {
        Throwable injected = fault.create();
        WatchedLife life = new WatchedLife(nativeAsync, asyncView, time -> time);
        AtomicReference<String> victim = new AtomicReference<>();
        Interceptor interceptor = (point, call) -> {
            if (!point.equals(at) || (life.isOver() && !at.method().equals("LockBackend.close"))) {
                return call.proceed();
            }
            if (!before) {
                call.proceed();
            }
            victim.set(Thread.currentThread().getName());
            if (fault == Fault.ERROR_IN_STAGE) {
                return CompletableFuture.failedStage(injected);
            }
            throw injected;
        };
        String what = fault + (before ? " before " : " after ") + at;
        try {
            life.live(interceptor, at.method().endsWith("extend"), true);
        } catch (Throwable e) {
            if (e != injected || life.guard != null) {
                throw new AssertionError(what, e);
            }
        }
        assertThat(life.locks()).as(what).isEmpty();
        assertThat(life.life != null && life.life.lost)
                .as(what + ": renewals stopped")
                .isFalse();
        boolean direct = victim.get() != null && !UPKEEP.matcher(victim.get()).find();
        if (life.guard != null && direct && TOLD.contains(at.method().replaceAll(".*\\.", ""))) {
            boolean itself = fault != Fault.UNCHECKED && !asyncView;
            assertThat(life.told()).as(what).anyMatch(e -> e == injected || (!itself && e.getCause() == injected));
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @Rule("CMP-4")
    @DisplayName("closing the guard at any call of the backend leaves no lock but those of bodies that ran (C2)")
    void closing(boolean nativeAsync, boolean asyncView) throws Throwable {
        List<Runnable> lives = new ArrayList<>();
        for (Point point : points(nativeAsync, asyncView)) {
            for (boolean before : List.of(true, false)) {
                lives.add(() -> closeAt(point, before, nativeAsync, asyncView));
            }
        }
        runAll("closing", lives);
    }

    private static void closeAt(Point at, boolean before, boolean nativeAsync, boolean asyncView) {
        WatchedLife life = new WatchedLife(nativeAsync, asyncView, time -> time);
        String what = "close " + (before ? "before " : "after ") + at;
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        AtomicBoolean reached = new AtomicBoolean();
        Interceptor interceptor = (point, call) -> {
            if (!point.equals(at)) {
                return call.proceed();
            }
            reached.set(true);
            Object result = before ? null : call.proceed();
            Closer.close(life.guard, closed);
            return before ? call.proceed() : result;
        };
        try {
            life.live(interceptor, at.method().endsWith("extend"), false);
            if (reached.get()) {
                LifeCycle.bounded(closed);
            }
        } catch (Throwable e) {
            throw new AssertionError(what, e);
        }
        assertThat(life.locks())
                .as(what)
                .allSatisfy(lock -> assertThat(life.life.delivered).contains(lock.lockId()));
        await(what).until(() -> life.locks().size() <= life.releaseErrors().size());
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @Rule("FLT-2")
    @DisplayName("a lack of threads at any hand-over leaves no lock, no thread and no hanging stage (C3)")
    void outOfThreads(boolean nativeAsync, boolean asyncView) throws Throwable {
        AtomicReference<FailingTime> healthy = new AtomicReference<>();
        new WatchedLife(nativeAsync, asyncView, time -> {
                    healthy.set(new FailingTime(time, -1, true));
                    return healthy.get();
                })
                .live((point, call) -> call.proceed(), true, false);
        List<Runnable> lives = new ArrayList<>();
        for (int i = 0; i < healthy.get().calls(); i++) {
            int index = i;
            lives.add(() -> liveWithFewThreads(index, true, nativeAsync, asyncView));
            lives.add(() -> liveWithFewThreads(index, false, nativeAsync, asyncView));
        }
        runAll("out of threads", lives);
    }

    private static void liveWithFewThreads(int index, boolean before, boolean nativeAsync, boolean asyncView) {
        AtomicReference<FailingTime> time = new AtomicReference<>();
        WatchedLife life = new WatchedLife(nativeAsync, asyncView, real -> {
            time.set(new FailingTime(real, index, before));
            return time.get();
        });
        String what = "out of threads " + (before ? "before" : "after") + " call " + index;
        try {
            life.live(
                    (point, call) -> {
                        if (life.isOver()) {
                            time.get().heal();
                        }
                        return call.proceed();
                    },
                    true,
                    true);
        } catch (Throwable e) {
            throw new AssertionError(what, e);
        }
        assertThat(life.locks()).as(what).isEmpty();
        assertThat(life.life.lost).as(what + ": renewals stopped").isFalse();
    }

    /** Returns every call that a life makes, but not all repetitions of the same one. */
    private static Set<Point> points(boolean nativeAsync, boolean asyncView) throws Throwable {
        Set<Point> points = ConcurrentHashMap.newKeySet();
        WatchedLife life = new WatchedLife(nativeAsync, asyncView, time -> time);
        life.live(
                (point, call) -> {
                    points.add(point);
                    return call.proceed();
                },
                true,
                false);
        assertThat(life.life.thrown).allMatch(LifeCycle.BodyFailed.class::isInstance);
        assertThat(life.locks()).isEmpty();
        return points.stream().filter(point -> point.index() < 40).collect(Collectors.toSet());
    }

    static void runAll(String name, List<Runnable> lives) throws Throwable {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        List<String> failures = new ArrayList<>();
        try {
            List<Future<?>> running =
                    lives.stream().<Future<?>>map(pool::submit).toList();
            for (Future<?> each : running) {
                try {
                    each.get();
                } catch (java.util.concurrent.ExecutionException e) {
                    java.io.StringWriter text = new java.io.StringWriter();
                    e.getCause().printStackTrace(new java.io.PrintWriter(text));
                    failures.add(text.toString());
                }
            }
        } finally {
            pool.shutdown();
        }
        System.out.println(name + ": " + lives.size() + " lives");
        assertThat(failures).isEmpty();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith("syncguard-") && !before.contains(thread))
                        .isEmpty());
    }
}
