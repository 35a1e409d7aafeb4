package dev.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.spi.LockIds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockIdIndexTest {

    private final MemoryStore store = new MemoryStore(() -> 0);
    private final LockIdIndex index = store.index();
    private final MemorySlot one = store.slot("one");
    private final MemorySlot other = store.slot("other");

    private void settle(boolean settled) {
        if (settled) {
            index.settle();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("an id that was drawn holds nothing until it is used, and then one key until it is removed")
    void drawn(boolean settled) {
        LockId id = index.draw();
        assertThat(index.find(id)).isNull();
        settle(settled);

        assertThat(index.add(id, one)).isTrue();
        settle(settled);
        assertThat(index.find(id)).isSameAs(one);
        assertThat(index.add(id, other)).as("for another key").isFalse();
        assertThat(index.add(id, one)).as("for the same key").isTrue();

        index.remove(id, other);
        assertThat(index.find(id)).as("removed for another key").isSameAs(one);
        index.remove(id, one);
        assertThat(index.find(id)).isNull();
        assertThat(index.add(id, other)).as("free again").isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("an id from elsewhere is one like any other")
    void fromElsewhere(boolean settled) {
        LockId id = LockIds.random();
        assertThat(index.add(id, one)).isTrue();
        settle(settled);

        assertThat(index.find(id)).isSameAs(one);
        assertThat(index.add(id, other)).isFalse();
        assertThat(index.add(id, one)).isTrue();
        index.remove(id, one);
        assertThat(index.find(id)).as("it stood there once only").isNull();
    }

    @Test
    @DisplayName("ids that were drawn and never used are forgotten")
    void unused() {
        for (int i = 0; i < 100_000; i++) {
            index.draw();
        }

        assertThat(index.size()).isLessThan(10_000);
    }

    @Test
    @DisplayName("while ids move, none is lost and none stands there twice")
    void moving() {
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        CompletableFuture<Void> mover = CompletableFuture.runAsync(
                () -> {
                    while (!done.get()) {
                        index.settle();
                    }
                },
                threads);
        List<CompletableFuture<Void>> users = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            users.add(CompletableFuture.runAsync(this::useMany, threads));
        }
        CompletableFuture.allOf(users.toArray(CompletableFuture[]::new))
                .whenComplete((result, failure) -> done.set(true))
                .join();
        mover.join();
        threads.shutdown();
    }

    private void useMany() {
        for (int i = 0; i < 20_000; i++) {
            LockId id = i % 2 == 0 ? index.draw() : LockIds.random();
            assertThat(index.add(id, one)).isTrue();
            assertThat(index.find(id)).isSameAs(one);
            assertThat(index.add(id, other)).isFalse();
            assertThat(index.find(id)).isSameAs(one);
            index.remove(id, one);
            assertThat(index.find(id)).isNull();
        }
    }
}
