package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;
import static dev.syncguard.tck.Broken.misnamed;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Backends that answer questions wrongly, or do not tell keys apart. */
final class BrokenQuestions {

    private BrokenQuestions() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("isLocked has no tolerance", StrictlyLocked::new, "LCK-1"),
                broken("isLocked prolongs the lock", AskingProlongs::new, "LCK-2"),
                broken("find by key has no tolerance", StrictlyFound::new, "LKP-1"),
                broken("find by id returns the next owner's lock", FindsNextOwner::new, "LKP-2"),
                broken("finding a lock prolongs it", FindingProlongs::new, "LKP-3"),
                broken("find shows locks that have ended", FindsEnded::new, "LKP-4"),
                broken("find by id shows other times than find by key", FindsOtherTimes::new, "LKP-5"),
                broken("small pages lose their locks", LosesLocks::new, "LST-1"),
                broken("listed locks show the time of the listing", ListsOtherTimes::new, "LST-2"),
                broken("the list shows locks that have ended", ListsEnded::new, "LST-3"),
                broken("keys with a control character are refused", RefusesControls::new, "KEY-3"),
                misnamed("keys are stored in lower case", key -> key.toLowerCase(Locale.ROOT), "KEY-1"),
                misnamed("keys are stored trimmed", String::strip, "KEY-1"),
                misnamed("keys are cut off", key -> key.substring(0, Math.min(key.length(), 100)), "KEY-4"));
    }

    private static final class StrictlyLocked extends SmallBackend {
        StrictlyLocked(SmallStore store) {
            super(store);
        }

        @Override
        public boolean isLocked(LockKey key, AbortSignal signal) {
            return super.isLocked(key, signal)
                    && findByKey(key, signal)
                            .filter(lock -> Liveness.isStrictlyLive(lock.expiresAtMs(), store.nowMs()))
                            .isPresent();
        }
    }

    private static final class AskingProlongs extends SmallBackend {
        AskingProlongs(SmallStore store) {
            super(store);
        }

        @Override
        public boolean isLocked(LockKey key, AbortSignal signal) {
            findByKey(key, signal)
                    .filter(lock -> Liveness.isStrictlyLive(lock.expiresAtMs(), store.nowMs()))
                    .ifPresent(lock -> extend(lock.lockId(), Rules.HOUR, signal));
            return super.isLocked(key, signal);
        }
    }

    private static final class StrictlyFound extends SmallBackend {
        StrictlyFound(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
            return super.findByKey(key, signal)
                    .filter(lock -> Liveness.isStrictlyLive(lock.expiresAtMs(), store.nowMs()));
        }
    }

    private static final class FindsNextOwner extends SmallBackend {
        FindsNextOwner(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
            check(signal);
            synchronized (store) {
                return Optional.ofNullable(store.index.get(lockId))
                        .map(store.locks::get)
                        .filter(this::isVisible);
            }
        }
    }

    private static final class FindingProlongs extends SmallBackend {
        FindingProlongs(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
            Optional<StoredLock> found = super.findByKey(key, signal);
            synchronized (store) {
                store.locks.computeIfPresent(
                        name(key), (name, lock) -> SmallStore.endingAt(lock, lock.expiresAtMs() + 1));
            }
            return found;
        }
    }

    private static final class FindsEnded extends SmallBackend {
        FindsEnded(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
            check(signal);
            return store.stored(key.value());
        }
    }

    private static final class FindsOtherTimes extends SmallBackend {
        FindsOtherTimes(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
            return super.findById(lockId, signal).map(lock -> SmallStore.endingAt(lock, store.nowMs()));
        }
    }

    private static final class LosesLocks extends SmallBackend {
        LosesLocks(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<LockListing> listing() {
            return super.listing().map(listing -> (cursor, limit, signal) -> {
                Page page = listing.list(cursor, limit, signal);
                boolean small = limit < 10 && page.locks().size() == limit;
                return small ? new Page(List.of(), page.next()) : page;
            });
        }
    }

    private static final class ListsOtherTimes extends SmallBackend {
        ListsOtherTimes(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<LockListing> listing() {
            return super.listing().map(listing -> (cursor, limit, signal) -> {
                Page page = listing.list(cursor, limit, signal);
                List<StoredLock> locks = page.locks().stream()
                        .map(lock -> SmallStore.endingAt(lock, store.nowMs() + 1))
                        .toList();
                return new Page(locks, page.next());
            });
        }
    }

    private static final class ListsEnded extends SmallBackend {
        ListsEnded(SmallStore store) {
            super(store);
        }

        @Override
        boolean isListed(StoredLock lock) {
            return true;
        }
    }

    private static final class RefusesControls extends SmallBackend {
        RefusesControls(SmallStore store) {
            super(store);
        }

        @Override
        String name(LockKey key) {
            if (key.value().contains("\u0001")) {
                throw new LockException(Code.INVALID_ARGUMENT, "no control characters");
            }
            return super.name(key);
        }
    }
}
