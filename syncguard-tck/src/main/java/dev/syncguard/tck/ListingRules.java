package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LST: the list of live locks. */
abstract class ListingRules extends Rules {

    private static final int MANY_PAGES = 100_000;

    ListingRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    private List<StoredLock> listAll(int limit) {
        LockListing listing = backend.listing().orElseGet(() -> Assumptions.abort("this backend lists no locks"));
        List<StoredLock> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        for (int pages = 0; pages < MANY_PAGES; pages++) {
            Page page = listing.list(cursor, limit, NONE);
            all.addAll(page.locks());
            cursor = page.next();
            if (cursor.isEmpty()) {
                return all;
            }
        }
        throw new AssertionError("the listing does not come to an end");
    }

    @Test
    @Rule("LST-1")
    @DisplayName("every live lock is in one of the pages, however small they are")
    void listsAll() {
        List<LockKey> held = Stream.generate(Rules::newKey).limit(7).toList();
        held.forEach(this::grant);

        List<String> listed = listAll(2).stream().map(StoredLock::key).toList();

        assertThat(listed).containsAll(held.stream().map(LockKey::value).toList());
    }

    @Test
    @Rule("LST-2")
    @DisplayName("a listed lock is as it stands in the store")
    void listsAsStored() {
        grant(key);

        assertThat(listAll(100)).contains(stored(key));
    }

    @Test
    @Rule("LST-3")
    @DisplayName("a lock that was released or ended longer ago than the tolerance is not listed")
    void listsLiveOnly() {
        LockKey released = newKey();
        backend.release(grant(released).lockId(), NONE);
        grant(key);
        expire(key);

        assertThat(listAll(100)).extracting(StoredLock::key).doesNotContain(key.value(), released.value());
    }
}
