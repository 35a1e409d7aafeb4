package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the threads of a backend")
class StoreThreadsTest {

    private static final InheritableThreadLocal<String> CONTEXT = new InheritableThreadLocal<>();

    private final ClassLoader own = StoreThreads.class.getClassLoader();

    @BeforeEach
    void pretendToBeAnApplication() {
        CONTEXT.set("of the caller");
        Thread.currentThread().setContextClassLoader(new ClassLoader(own) {});
    }

    @AfterEach
    void end() {
        CONTEXT.remove();
        Thread.currentThread().setContextClassLoader(own);
    }

    @Test
    @DisplayName("are daemons that inherit nothing from the thread that happened to need them")
    void clean() {
        CompletableFuture<Boolean> looked = new CompletableFuture<>();

        Thread thread = StoreThreads.start("syncguard-test", () -> look(looked));

        assertThat(looked).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(true);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("syncguard-test");
    }

    @Test
    @DisplayName("have a class loader also in a pool, whose tasks are wrapped in a class of the JDK")
    void inPool() {
        CompletableFuture<Boolean> looked = new CompletableFuture<>();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> StoreThreads.daemon("syncguard-test", task));

        pool.execute(() -> look(looked));

        assertThat(looked).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(true);
        pool.shutdown();
    }

    private void look(CompletableFuture<Boolean> looked) {
        looked.complete(CONTEXT.get() == null && Thread.currentThread().getContextClassLoader() == own);
    }
}
