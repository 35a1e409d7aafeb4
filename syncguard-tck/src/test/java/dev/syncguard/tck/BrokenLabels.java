package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.StoredLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Backends that get labels wrong. */
final class BrokenLabels {

    private BrokenLabels() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("a label is cut at a quotation mark", CutsAtQuotes::new, "LBL-1", "HND-2"),
                broken("a label is kept in few bytes", CutsLong::new, "LBL-1"),
                broken("the label of an earlier holder stays", KeepsOld::new, "LBL-2"),
                broken("an extension loses the label", ExtensionLoses::new, "LBL-3"),
                broken("who is refused writes its label", RefusedWrites::new, "LBL-3"));
    }

    private static final class CutsAtQuotes extends SmallBackend {
        CutsAtQuotes(SmallStore store) {
            super(store);
        }

        @Override
        @Nullable
        String label(AcquireRequest request, @Nullable StoredLock before) {
            String label = request.label();
            int quote = label == null ? -1 : label.indexOf('"');
            return label == null || quote < 0 ? label : label.substring(0, quote);
        }
    }

    private static final class CutsLong extends SmallBackend {
        CutsLong(SmallStore store) {
            super(store);
        }

        @Override
        @Nullable
        String label(AcquireRequest request, @Nullable StoredLock before) {
            String label = request.label();
            return label == null || label.length() < 128 ? label : label.substring(0, 85);
        }
    }

    private static final class KeepsOld extends SmallBackend {
        KeepsOld(SmallStore store) {
            super(store);
        }

        @Override
        @Nullable
        String label(AcquireRequest request, @Nullable StoredLock before) {
            return request.label() == null && before != null ? before.label() : request.label();
        }
    }

    private static final class ExtensionLoses extends SmallBackend {
        ExtensionLoses(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, ExtendRequest request, long now) {
            long expiresAtMs = super.extended(own, request, now).expiresAtMs();
            return new StoredLock(own.key(), own.lockId(), own.acquiredAtMs(), expiresAtMs, own.fence());
        }
    }

    private static final class RefusedWrites extends SmallBackend {
        RefusedWrites(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome refuse(StoredLock other, AcquireRequest request, long now) {
            if (request.label() != null) {
                store.put(
                        name(request.key()),
                        new StoredLock(
                                other.key(),
                                other.lockId(),
                                other.acquiredAtMs(),
                                other.expiresAtMs(),
                                other.fence(),
                                request.label()));
            }
            return super.refuse(other, request, now);
        }
    }
}
