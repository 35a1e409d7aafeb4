package dev.syncguard.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that work at the same time, and stay until what they used has been counted. */
final class Crew implements AutoCloseable {

    private final int size;
    private final ThreadPoolExecutor threads;

    Crew(int size) {
        this.size = size;
        this.threads = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        threads.prestartAllCoreThreads();
    }

    /** What one of the threads does. */
    @FunctionalInterface
    interface Work {
        void run(int number) throws Exception;
    }

    /** Starts all of them. */
    List<Future<?>> start(Work work) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int number = i;
            running.add(threads.submit(() -> {
                work.run(number);
                return null;
            }));
        }
        return running;
    }

    /** Starts all of them and waits until they are done. */
    void run(Work work) throws Exception {
        join(start(work));
    }

    static void join(List<Future<?>> running) throws Exception {
        for (Future<?> one : running) {
            one.get();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
