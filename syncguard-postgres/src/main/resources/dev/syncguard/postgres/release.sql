-- Deletes the lock of a lock id. The clock is read after the row is locked, in RETURNING.
-- Losing this in a crash only means that the lock lasts to its end, so the commit does not wait for the disk.
-- Nobody waits if the exclusive lock can be had; it is kept until the commit, so that nobody can begin to wait before
-- the deletion is visible.
DELETE FROM {locks} AS stored
WHERE stored.lock_id = {lock_id}
  AND pg_catalog.set_config('lock_timeout', {lock_timeout}, true) <> ''
  AND pg_catalog.set_config('synchronous_commit', 'off', true) <> ''
RETURNING stored.expires_at_ms > {now} - {tolerance} AS live,
          CASE WHEN NOT pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended(stored.key, {seed}))
               THEN pg_catalog.pg_notify({channel}, pg_catalog.hashtextextended(stored.key, {seed})::text)::text
          END AS told
