package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Extensions such as orafce ask for a search path that has their schema before pg_catalog. */
class SearchPathTest {

    private static final List<String> SHADOWS = List.of(
            "clock_timestamp() RETURNS timestamptz AS $$ SELECT '2100-01-01'::timestamptz $$",
            "floor(numeric) RETURNS numeric AS $$ SELECT 5::numeric $$",
            "hashtext(text) RETURNS int AS $$ SELECT 1 / 0 $$",
            "lpad(text, int, text) RETURNS text AS $$ SELECT 'x'::text $$",
            "set_config(text, text, boolean) RETURNS text AS $$ SELECT ''::text $$",
            "pg_advisory_xact_lock(bigint) RETURNS void AS $$ SELECT 1 / 0 $$",
            "pg_try_advisory_xact_lock(bigint) RETURNS boolean AS $$ SELECT 1 / 0 = 1 $$",
            "pg_try_advisory_lock_shared(bigint) RETURNS boolean AS $$ SELECT 1 / 0 = 1 $$",
            "hashtextextended(text, bigint) RETURNS bigint AS $$ SELECT 1 / 0::bigint $$",
            "pg_notify(text, text) RETURNS void AS $$ SELECT 1 / 0 $$");

    @Test
    @DisplayName("functions of the same name in a schema before pg_catalog are not called")
    void shadows() {
        try (TestDatabase database = TestDatabase.create()) {
            String schema = database.names.schema();
            SHADOWS.forEach(
                    shadow -> database.execute("CREATE FUNCTION \"" + schema + "\"." + shadow + " LANGUAGE sql"));
            try (LockBackend backend = database.withSetting("search_path=" + schema + ",pg_catalog")) {
                LockKey key = newKey();
                Granted held = grant(backend, key);

                assertThat(held.remainingMs()).isPositive();
                assertThat(acquire(backend, key)).isInstanceOf(Refused.class);
                assertThat(backend.isLocked(key, NONE)).isTrue();
                assertThat(backend.extend(new ExtendRequest(held.lockId(), key, MINUTE, Mode.REPLACE), NONE))
                        .isInstanceOf(Extended.class);
                assertThat(backend.release(new ReleaseRequest(held.lockId(), key), NONE))
                        .isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }
}
