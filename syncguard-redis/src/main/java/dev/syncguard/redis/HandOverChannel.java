package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.spi.HandOver.Heir;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.support.WakeUp;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channel on which this process is told of its grants. Waiters are named by the SHA-1 of their lock ids, which are
 * secrets of their holders.
 */
final class HandOverChannel extends Channel {

    private final Map<String, Waiting> waiters = new ConcurrentHashMap<>();

    private record Waiting(Heir heir, WakeUp subscription) {}

    HandOverChannel(String name) {
        super(name);
    }

    static String nameOf(LockId lockId) {
        return ScriptText.sha1(lockId.value());
    }

    void add(String waiter, Heir heir, WakeUp subscription) {
        waiters.put(waiter, new Waiting(heir, subscription));
    }

    void remove(String waiter) {
        leaves();
        waiters.remove(waiter);
    }

    @Override
    boolean isEmpty() {
        return waiters.isEmpty();
    }

    @Override
    void wake() {
        waiters.values().forEach(waiting -> waiting.subscription.wake());
    }

    /** {@code waiter}, or {@code waiter attempt fence expiresAtMs claimMs waitedMs}; anything else is a stranger's. */
    @Override
    void message(String text) {
        String[] words = text.split(" ", -1);
        Waiting waiting = waiters.get(words[0]);
        if (waiting == null) {
            return;
        }
        try {
            if (words.length == 6) {
                waiting.heir.granted(new Message(
                        number(words[1]),
                        RedisReply.fence(List.of(words[2]), 0),
                        number(words[3]),
                        number(words[4]),
                        number(words[5])));
                return;
            }
        } catch (LockException e) {
            // a stranger's: it is worth a look
        }
        waiting.subscription.wake();
    }

    private static long number(String digits) {
        return RedisReply.digits(digits, 0, digits.length());
    }
}
