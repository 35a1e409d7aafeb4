package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UpkeepPoolTest {

    @Test
    @DisplayName("M2: of the renewals that wait, the one with the earliest deadline goes first, across an overflow too")
    void earliestFirst() {
        UpkeepPool pool = new UpkeepPool(1);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        List<Long> order = new CopyOnWriteArrayList<>();
        pool.execute(0, false, () -> {
            busy.countDown();
            await().until(() -> free.getCount() == 0);
        });
        await().until(() -> busy.getCount() == 0);
        long base = Long.MAX_VALUE - 2; // nanoTime has no origin

        LongStream.of(4, 1, 3, 0, 2).forEach(after -> pool.execute(base + after, false, () -> order.add(after)));
        free.countDown();

        await().until(() -> order.size() == 5);
        assertThat(order).containsExactly(0L, 1L, 2L, 3L, 4L);
        pool.shutdown();
    }
}
