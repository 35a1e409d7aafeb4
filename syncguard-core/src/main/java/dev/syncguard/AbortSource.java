package dev.syncguard;

import dev.syncguard.AbortSignal.Registration;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What fires a signal besides its own abort: asked when the signal is asked, watched while it has listeners to it. */
interface AbortSource {

    /** Returns whether it has fired; once true, always true. */
    boolean hasFired();

    /** Runs an action when it fires, at once if it has fired. */
    Registration watch(Runnable action);

    static AbortSource timeout(Duration delay) {
        return new Timeout(System.nanoTime() + nanos(delay));
    }

    private static long nanos(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(Duration.ofDays(36_500)) < 0 ? delay.toNanos() : Long.MAX_VALUE / 2;
    }

    static AbortSource anyOf(List<AbortSignal> signals) {
        return new AnyOf(signals);
    }

    /** Fires with the first of several signals. */
    record AnyOf(List<AbortSignal> signals) implements AbortSource {

        @Override
        public boolean hasFired() {
            return signals.stream().anyMatch(AbortSignal::isAborted);
        }

        @Override
        public Registration watch(Runnable action) {
            List<Registration> registrations = new ArrayList<>(signals.size());
            Registration all = () -> registrations.forEach(Registration::close);
            try {
                signals.forEach(signal -> registrations.add(signal.onAbort(action)));
            } catch (Throwable e) {
                all.close(); // nothing stays listed with a signal that lives as long as the application
                throw e;
            }
            return all;
        }
    }

    /** Fires at a moment of the monotonic clock. */
    record Timeout(long deadline) implements AbortSource {

        @Override
        public boolean hasFired() {
            return deadline - System.nanoTime() <= 0;
        }

        @Override
        public Registration watch(Runnable action) {
            Timer.EXECUTOR.prestartCoreThread(); // out of threads: fails before the executor keeps the task
            Future<?> timer = Timer.EXECUTOR.schedule(
                    () -> Timer.run(action), deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            return () -> timer.cancel(false);
        }
    }

    /** One thread for all timeouts, which ends when none is left. */
    final class Timer {

        private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
        private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

        private Timer() {}

        private static ScheduledThreadPoolExecutor executor() {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Timer::thread);
            executor.setRemoveOnCancelPolicy(true);
            executor.setKeepAliveTime(1, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }

        @SuppressWarnings("ThreadPriorityCheck") // not that of the caller
        private static Thread thread(Runnable work) {
            Thread thread = new Thread(null, work, "syncguard-abort-timer", 0, false);
            thread.setDaemon(true);
            thread.setPriority(Thread.NORM_PRIORITY);
            thread.setContextClassLoader(AbortSource.class.getClassLoader());
            return thread;
        }

        private static void run(Runnable action) {
            try {
                action.run();
            } catch (Throwable e) {
                LOGGER.log(Level.WARNING, "a listener of an abort signal threw", e);
            }
        }
    }
}
