package dev.syncguard.tck;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A guard with one mistake. */
final class BrokenGuard implements FencedStore {

    private final GuardMistake mistake;
    private final Map<String, Fence> fences = new HashMap<>();
    private final Map<String, String> values = new HashMap<>();

    BrokenGuard(GuardMistake mistake) {
        this.mistake = mistake;
    }

    @Override
    public void write(String resource, Fence fence, String value) {
        LockKey key = checked(resource, fence);
        if (mistake == GuardMistake.CHECKS_THEN_ACTS) {
            check(key, fence);
            awaitNewer(key, fence);
            act(key, fence, value);
            return;
        }
        synchronized (this) {
            check(key, fence);
            act(key, fence, value);
        }
    }

    /** Gives a newer fence some time to come in between: then the mistake is made, and not only possible. */
    private void awaitNewer(LockKey key, Fence fence) {
        for (int i = 0; i < 20 && !isNewerKnown(key, fence); i++) {
            LockBackendTck.pause(Duration.ofMillis(1));
        }
    }

    private boolean isNewerKnown(LockKey key, Fence fence) {
        return highest(key.value()).map(newest -> newest.isNewerThan(fence)).orElse(false);
    }

    private LockKey checked(String resource, Fence fence) {
        if (mistake == GuardMistake.TAKES_ANY_FENCE && fence != null) {
            return LockKey.of(resource);
        }
        return FenceClaim.of(resource, fence).resource();
    }

    private synchronized void check(LockKey key, Fence fence) {
        Fence highest = fences.getOrDefault(name(key), new Fence(0));
        boolean stale = switch (mistake) {
            case ACCEPTS_ANYTHING -> false;
            case REFUSES_EQUAL -> !fence.isNewerThan(highest);
            case COMPARES_TEXT -> String.valueOf(fence.value()).compareTo(String.valueOf(highest.value())) < 0;
            default -> highest.isNewerThan(fence);
        };
        if (stale && mistake == GuardMistake.TELLS_THE_RESOURCE) {
            throw new StaleFenceException(LockKey.of(key.value(), text -> text), fence, highest);
        }
        if (stale) {
            throw new StaleFenceException(key, fence, highest);
        }
    }

    private synchronized void act(LockKey key, Fence fence, String value) {
        fences.put(name(key), fence);
        values.put(key.value(), value);
    }

    @Override
    public synchronized boolean writeAndCrash(String resource, Fence fence, String value) {
        LockKey key = checked(resource, fence);
        check(key, fence);
        if (mistake == GuardMistake.ADVANCES_FIRST) {
            fences.put(name(key), fence);
        }
        return true;
    }

    private String name(LockKey key) {
        return mistake == GuardMistake.FOLDS_CASE ? key.value().toLowerCase(Locale.ROOT) : key.value();
    }

    @Override
    public synchronized Optional<String> read(String resource) {
        if (resource == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "a resource must not be null");
        }
        return Optional.ofNullable(values.get(resource));
    }

    @Override
    public synchronized Optional<Fence> highest(String resource) {
        return Optional.ofNullable(fences.get(name(LockKey.of(resource))));
    }
}
