package dev.syncguard.micrometer;

import dev.syncguard.LockKey;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The tag of a key: nothing, its hash, or {@code other} once there are too many. */
final class KeyTags {

    private static final Tags OTHER = Tags.of("key", "other");

    private final int most;
    private final Semaphore free;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    KeyTags(int most) {
        this.most = most;
        this.free = new Semaphore(most);
    }

    Tags of(LockKey key) {
        if (most == 0) {
            return Tags.empty();
        }
        return isKnown(key.hash()) ? Tags.of("key", key.hash()) : OTHER;
    }

    /** The first ones stay for good. */
    private boolean isKnown(String hash) {
        if (known.contains(hash)) {
            return true;
        }
        if (!free.tryAcquire()) {
            return false;
        }
        if (!known.add(hash)) {
            free.release();
        }
        return true;
    }
}
