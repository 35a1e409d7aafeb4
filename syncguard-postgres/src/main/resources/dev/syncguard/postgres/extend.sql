-- Extends a live lock; with at_least it never expires earlier than it would anyway. The row is locked first and the clock read after that: a plain UPDATE would judge the
-- lock before it waits for the row. FOR NO KEY UPDATE is what the UPDATE takes: it excludes every other writer, and passes
-- the application's transactions that hold the lock's row FOR KEY SHARE (PostgresLeaseCheck).
WITH locked AS MATERIALIZED (
    SELECT stored.key, stored.expires_at_ms
    FROM (SELECT {settings}) AS settings, {locks} AS stored
    WHERE stored.lock_id = {lock_id}
    FOR NO KEY UPDATE OF stored
),
judged AS MATERIALIZED (
    SELECT locked.key, locked.expires_at_ms, {now} AS now_ms
    FROM locked
),
extended AS (
    UPDATE {locks} AS stored
    SET expires_at_ms = CASE WHEN {at_least}
                             THEN greatest(judged.expires_at_ms, judged.now_ms + {ttl})
                             ELSE judged.now_ms + {ttl}
                        END
    FROM judged
    WHERE stored.key = judged.key AND stored.lock_id = {lock_id} AND judged.expires_at_ms > judged.now_ms
    RETURNING stored.expires_at_ms
)
SELECT extended.expires_at_ms, judged.now_ms
FROM judged
LEFT JOIN extended ON true
