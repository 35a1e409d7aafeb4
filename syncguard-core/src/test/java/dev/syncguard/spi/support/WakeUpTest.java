package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a wake-up")
class WakeUpTest {

    private final AtomicInteger woken = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicBoolean listening = new AtomicBoolean();
    private final WakeUp wakeUp = new WakeUp(woken::incrementAndGet);

    private void join() {
        wakeUp.join(listening::get, left::incrementAndGet);
    }

    @Test
    @DisplayName("is not active before it is joined, but wakes")
    void notJoined() {
        wakeUp.wake();

        assertThat(wakeUp.isActive()).isFalse();
        assertThat(woken).hasValue(1);
    }

    @Test
    @DisplayName("is active as long as what it joined")
    void active() {
        join();
        assertThat(wakeUp.isActive()).isFalse();
        assertThat(woken).hasValue(0);

        listening.set(true);
        assertThat(wakeUp.isActive()).isTrue();
    }

    @Test
    @DisplayName("wakes at once when it joins what listens already")
    void joinsListening() {
        listening.set(true);
        join();

        assertThat(woken).hasValue(1);
    }

    @Test
    @DisplayName("that is closed leaves once, is not active and wakes nobody")
    void closed() {
        listening.set(true);
        join();
        wakeUp.close();
        wakeUp.close();
        wakeUp.wake();

        assertThat(left).hasValue(1);
        assertThat(woken).hasValue(1);
        assertThat(wakeUp.isActive()).isFalse();
    }
}
