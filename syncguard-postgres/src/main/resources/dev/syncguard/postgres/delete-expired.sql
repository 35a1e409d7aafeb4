-- Deletes some rows of locks that ended long ago. Rows that somebody works on are left alone; counters are not touched.
WITH settings AS MATERIALIZED (
    SELECT pg_catalog.set_config('synchronous_commit', 'off', true)
),
ended AS MATERIALIZED (
    SELECT stored.key, stored.lock_id
    FROM settings, {locks} AS stored
    WHERE stored.expires_at_ms < (SELECT {now}) - {guard}
    ORDER BY stored.expires_at_ms
    LIMIT {limit}
    FOR UPDATE OF stored SKIP LOCKED
),
gone AS (
    DELETE FROM {locks} AS stored
    USING ended
    WHERE stored.key = ended.key AND stored.lock_id = ended.lock_id
    RETURNING 1
)
SELECT count(*) FROM gone
