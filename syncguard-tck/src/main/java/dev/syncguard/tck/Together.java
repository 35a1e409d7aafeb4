package dev.syncguard.tck;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs things at the same moment, each on a thread of its own. */
final class Together {

    private Together() {}

    /** Runs the same thing on many threads and returns all results. */
    static <T> List<T> run(int threads, Callable<T> task) {
        return run(Collections.nCopies(threads, task));
    }

    /** Runs each thing on its own thread and returns the results in order. */
    static <T> List<T> run(List<Callable<T>> tasks) {
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> task : tasks) {
                running.add(threads.submit(() -> {
                    start.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get(60, TimeUnit.SECONDS));
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("one of the threads failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("one of the threads did not end within a minute", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
