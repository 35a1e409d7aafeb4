-- One attempt to get a lock. The README of this module explains why two of these can never both win.
-- What stood in the tables when the statement began, judged by the time after that.
WITH judged AS MATERIALIZED (
    SELECT held.lock_id, held.expires_at_ms, held.fence, counter.fence AS counter, clock.now_ms,
           CASE WHEN held.lock_id = {lock_id} AND held.expires_at_ms > clock.now_ms THEN 'own'
                WHEN held.expires_at_ms > clock.now_ms - {tolerance} THEN 'held'
                WHEN other.key IS NOT NULL THEN 'foreign'
                WHEN counter.fence < 0 OR counter.fence > {max} THEN 'damaged'
                WHEN counter.fence = {max} THEN 'exhausted'
                ELSE 'free'
           END AS state
    FROM (SELECT {now} AS now_ms, {settings}) AS clock
    LEFT JOIN {locks} AS held ON held.key = {key}
    LEFT JOIN {counters} AS counter ON counter.fence_key = {fence_key}
    LEFT JOIN {locks} AS other ON other.lock_id = {lock_id} AND other.key <> {key}
),
-- A row that has ended is locked before the clock is read for the grant: whoever sits on it is waited for here.
ended AS MATERIALIZED (
    SELECT held.key
    FROM judged
    JOIN {locks} AS held ON held.key = {key}
    WHERE judged.state = 'free' AND judged.lock_id IS NOT NULL
    FOR UPDATE OF held
),
-- Compare and set: raises the counter only if nobody was granted the key since the statement began.
raised AS (
    INSERT INTO {counters} AS stored (fence_key, fence)
    SELECT {fence_key}, greatest(coalesce(judged.counter, 0) + 1, {floor})
    FROM judged
    LEFT JOIN ended ON true
    WHERE CASE WHEN judged.state = 'free' THEN {advisory_lock} END
    ON CONFLICT (fence_key) DO UPDATE SET fence = excluded.fence
        WHERE stored.fence = {seen_fence}
    RETURNING stored.fence
),
granted AS (
    INSERT INTO {locks} AS stored (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
    SELECT {key}, {lock_id}, stamped.now_ms + {ttl}, stamped.now_ms, lpad(stamped.fence::text, 15, '0'), {user_key}
    FROM (SELECT raised.fence, {now} AS now_ms FROM raised) AS stamped
    ON CONFLICT (key) DO UPDATE
        SET lock_id = excluded.lock_id, expires_at_ms = excluded.expires_at_ms,
            acquired_at_ms = excluded.acquired_at_ms, fence = excluded.fence, user_key = excluded.user_key
        WHERE stored.expires_at_ms <= {now} - {tolerance}
    RETURNING stored.lock_id, stored.fence, stored.expires_at_ms
)
SELECT CASE WHEN granted.fence IS NOT NULL THEN 'granted'
            WHEN judged.state = 'free' THEN 'raced'
            ELSE judged.state
       END AS state,
       coalesce(granted.lock_id, judged.lock_id) AS lock_id,
       coalesce(granted.fence, judged.fence) AS fence,
       coalesce(granted.expires_at_ms, judged.expires_at_ms) AS expires_at_ms,
       judged.now_ms,
       -- Who lost the race has nothing to keep: no wait for the disk, others queue behind this.
       CASE WHEN granted.fence IS NULL AND judged.state = 'free' THEN set_config('synchronous_commit', 'off', true) END
FROM judged
LEFT JOIN granted ON true
