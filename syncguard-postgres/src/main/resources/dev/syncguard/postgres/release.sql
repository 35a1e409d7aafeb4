-- Deletes the lock of a lock id. The clock is read after the row is locked, in RETURNING.
-- Losing this in a crash only means that the lock lasts to its end, so the commit does not wait for the disk.
WITH gone AS (
    DELETE FROM {locks} AS stored
    USING (
        SELECT set_config('lock_timeout', {lock_timeout}, true), set_config('synchronous_commit', 'off', true)
    ) AS settings
    WHERE stored.lock_id = {lock_id}
    RETURNING hashtextextended(stored.key, {seed}) AS hash, stored.expires_at_ms > {now} - {tolerance} AS live
)
-- Nobody waits if the exclusive lock can be had; it is kept until the commit, so that nobody can begin to wait before
-- the deletion is visible.
SELECT gone.live,
       CASE WHEN gone.live AND NOT pg_try_advisory_xact_lock(gone.hash)
            THEN pg_notify({channel}, gone.hash::text)::text
       END AS told
FROM gone
