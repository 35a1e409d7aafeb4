package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    @DisplayName(
            "blocking calls of the asynchronous view run on virtual threads where the JDK has them, else on daemons")
    void virtualThreads() {
        try (Workers workers = new Workers(2)) {
            for (Executor executor : new Executor[] {workers.acquires(), workers.upkeep()}) {
                Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, executor)
                        .join();

                assertThat(isVirtual(thread)).isEqualTo(Runtime.version().feature() >= 21);
                assertThat(thread.isDaemon()).isTrue();
                assertThat(thread.getName()).startsWith("syncguard-");
            }
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
