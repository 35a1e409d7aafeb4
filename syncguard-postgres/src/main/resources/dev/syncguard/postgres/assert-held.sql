-- Locks the row of a lease in the caller's transaction and reads the clock after that.
-- FOR KEY SHARE: a takeover, a release and a cleanup change or delete the columns of a unique index, and wait for the
-- caller's commit or rollback. A renewal changes neither (FOR NO KEY UPDATE in extend.sql), and goes on.
-- The caller's own lock_timeout is back when this ends; a failure takes it back with the transaction.
WITH settings AS MATERIALIZED (
    SELECT given.own, pg_catalog.set_config('lock_timeout', {lock_timeout}, true) AS limited
    FROM (SELECT pg_catalog.current_setting('lock_timeout') AS own OFFSET 0) AS given
),
locked AS MATERIALIZED (
    SELECT stored.expires_at_ms, stored.tableoid AS relation
    FROM settings, {locks} AS stored
    WHERE stored.lock_id = {lock_id} AND settings.limited <> ''
    FOR KEY SHARE OF stored
)
-- At the higher isolation levels the snapshot may show the row as it was before a renewal that the lease knows of.
SELECT CASE WHEN pg_catalog.current_setting('transaction_isolation') = 'read committed' THEN locked.expires_at_ms
            ELSE greatest(locked.expires_at_ms, {expires_at_ms})
       END - {now} AS left_ms,
       -- Without such an index a takeover changes no key as the server understands it, and would not wait for this lock.
       EXISTS (
           SELECT FROM pg_catalog.pg_index AS ind
           JOIN pg_catalog.pg_attribute AS col ON col.attrelid = ind.indrelid AND col.attname = 'lock_id'
           WHERE ind.indrelid = locked.relation AND ind.indisunique AND ind.indpred IS NULL AND ind.indexprs IS NULL
               AND array_position(ind.indkey::int2[], col.attnum) < ind.indnkeyatts
       ) AS exclusive,
       pg_catalog.set_config('lock_timeout', settings.own, true)
FROM settings LEFT JOIN locked ON true
