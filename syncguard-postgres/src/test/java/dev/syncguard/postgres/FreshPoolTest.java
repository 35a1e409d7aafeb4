package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A pool counts as fresh only if none of its connections can have been idle for long. */
class FreshPoolTest {

    private static final long FRESH_MS = 150;

    /** One connection of a pool, with what HikariCP knows of it. */
    private static final class Entry {
        final Connection connection = connection();
        long lastAccessed;
        boolean lent;
    }

    private final List<Entry> entries = new ArrayList<>();
    private long now = new SecureRandom().nextLong();
    private final FreshPool fresh = new FreshPool(entries::size, this::time);

    private static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("hashCode") ? System.identityHashCode(proxy) : proxy == arguments[0]);
    }

    /** No two looks at the clock see the same time. */
    private long time() {
        return ++now;
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Entry open() {
        Entry entry = new Entry();
        entry.lastAccessed = time();
        entries.add(entry);
        return entry;
    }

    /** A loan to us that ends at once. */
    private void use(Entry entry) {
        entry.lastAccessed = time();
        fresh.lent(entry.connection);
    }

    private void useAll(int times) {
        for (int i = 0; i < times; i++) {
            entries.forEach(this::use);
            pass(10);
        }
    }

    @Test
    @DisplayName("a pool whose connections are all used is fresh, and no longer than that")
    void inUse() {
        assertThat(fresh.isFresh()).isFalse();
        open();
        open();
        useAll(10);
        assertThat(fresh.isFresh()).isTrue();

        pass(FRESH_MS);
        assertThat(fresh.isFresh()).isFalse();
        useAll(10);
        assertThat(fresh.isFresh()).isTrue();
    }

    @Test
    @DisplayName("a pool with a connection that we do not use is not fresh")
    void oneIdle() {
        Entry used = open();
        open();
        for (int i = 0; i < 100; i++) {
            use(used);
            pass(5);
            assertThat(fresh.isFresh()).isFalse();
        }
    }

    @Test
    @DisplayName("a connection that was closed does not stand for another one that is idle")
    void replaced() {
        Entry used = open();
        Entry closed = open();
        Entry idle = open();
        for (int i = 0; i < 20; i++) {
            use(used);
            use(closed);
            pass(7);
        }
        entries.remove(closed);
        for (int i = 0; i < 20; i++) {
            use(used);
            pass(7);
            assertThat(fresh.isFresh()).isFalse();
        }
        assertThat(entries).contains(idle);
    }

    @Test
    @DisplayName("whatever a pool and others do with its connections, a fresh one has none that was idle for long")
    void random() {
        long seed = new SecureRandom().nextLong();
        int found = 0;
        for (int i = 0; i < 300; i++) {
            found += new FreshPoolTest().run(seed + i);
        }
        assertThat(found).as("seed %d", seed).isPositive();
    }

    private int run(long seed) {
        Random random = new Random(seed);
        int usual = 1 + random.nextInt(4);
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            step(random, usual);
            boolean nothingIdle = fresh.isFresh();
            if (nothingIdle) {
                found++;
                long limit = now - TimeUnit.MILLISECONDS.toNanos(FRESH_MS);
                assertThat(entries).as("seed %d, step %d", seed, i).allMatch(entry -> entry.lastAccessed - limit >= 0);
            }
        }
        return found;
    }

    private void step(Random random, int usual) {
        pass(random.nextInt(usual * 3));
        int what = random.nextInt(100);
        if (entries.isEmpty() || (what == 0 && entries.size() < usual + 2)) {
            open();
            return;
        }
        Entry entry = entries.get(random.nextInt(entries.size()));
        if (what == 1) {
            entries.remove(entry);
        } else if (what < 5) {
            // Others keep it for a while; what counts is when they got it, or when they gave it back.
            entry.lent = !entry.lent;
            entry.lastAccessed = entry.lent || random.nextBoolean() ? time() : entry.lastAccessed;
        } else if (!entry.lent) {
            use(entry);
        }
    }
}
