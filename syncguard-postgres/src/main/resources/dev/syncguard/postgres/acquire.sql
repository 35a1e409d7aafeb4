-- One attempt to get a lock. The README of this module explains why two of these can never both win.
-- One row: granted, held or raced. No row: the counter is damaged or used up.
-- Each expression costs time at every execution, even where it is never reached: hence no more of them than needed.
WITH held AS MATERIALIZED (
    SELECT stored.lock_id, stored.fence, stored.expires_at_ms
    FROM {locks} AS stored
    WHERE stored.key = {key} AND stored.expires_at_ms > {now} - {tolerance}
),
-- Raises the counter if no live lock stood there when the statement began and the counter is sound.
raised AS (
    INSERT INTO {counters} AS stored (fence_key, fence)
    SELECT {fence_key}, greatest(1, {floor})
    -- One after the other: the time limit stands before anything waits.
    WHERE CASE WHEN NOT {settings} THEN false
               WHEN NOT EXISTS (SELECT FROM held) THEN {advisory_lock}
          END
    ON CONFLICT (fence_key) DO UPDATE SET fence = greatest(stored.fence + 1, {floor})
        WHERE stored.fence BETWEEN 0 AND {max} - 1
    RETURNING stored.fence
),
-- Judges the newest version of a row that has ended, and reads the clock after it is locked. If somebody deletes that
-- row meanwhile, the time is the one from before the wait: the lock is a little shorter, and the answer says so.
granted AS (
    INSERT INTO {locks} AS stored (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key{label_columns})
    SELECT {key}, {lock_id}, stamped.now_ms + {ttl}, stamped.now_ms, pg_catalog.lpad(stamped.fence::text, 15, '0'), {user_key}{label_values}
    FROM (SELECT raised.fence, {now} AS now_ms FROM raised) AS stamped
    ON CONFLICT (key) DO UPDATE
        SET lock_id = excluded.lock_id, fence = excluded.fence, user_key = excluded.user_key,
            expires_at_ms = {now} + {ttl}, acquired_at_ms = {now}{label_changes}
        WHERE stored.expires_at_ms <= {now} - {tolerance}
    RETURNING stored.lock_id, stored.fence, stored.expires_at_ms
)
SELECT 'granted' AS state, granted.lock_id, granted.fence, granted.expires_at_ms, {now} AS now_ms
FROM granted
UNION ALL
-- A repeated request meets its own grant. Reading it proves nothing about a standby, so the row is locked: that is a
-- write, and its commit waits for the standby as the grant's did. NULL if the row is gone meanwhile.
SELECT 'held', held.lock_id, held.fence,
       CASE WHEN held.lock_id = {lock_id}
            THEN (SELECT own.expires_at_ms FROM {locks} AS own
                  WHERE own.key = {key} AND own.lock_id = {lock_id} FOR UPDATE)
            ELSE held.expires_at_ms
       END, {now}
FROM held
UNION ALL
-- Who lost a race has nothing to keep: no wait for the disk, others queue behind this.
SELECT 'raced', NULL, pg_catalog.set_config('synchronous_commit', 'off', true), NULL, NULL
FROM raised
WHERE NOT EXISTS (SELECT FROM granted)
