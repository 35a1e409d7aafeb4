-- SyncGuard: what a database needs to keep locks. Run it once, by hand or with a migration tool, or let
-- PostgresSchema.create do it. Safe to run again. With other names, change them in every statement.

-- Keys are compared byte by byte (COLLATE "C"): with the collation of the system's library, an upgrade of that library can
-- make an index miss a row, and then there are two holders.
CREATE TABLE IF NOT EXISTS "public"."syncguard_locks" (
    key            TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    lock_id        TEXT   COLLATE "C" NOT NULL UNIQUE,
    expires_at_ms  BIGINT NOT NULL,
    acquired_at_ms BIGINT NOT NULL,
    fence          TEXT   NOT NULL,
    user_key       TEXT   NOT NULL,
    -- Who holds the lock, and the lock id that this was said for. Other clients may ignore both.
    label          TEXT   NULL,
    label_lock_id  TEXT   COLLATE "C" NULL
) WITH (
    -- Rows come and go quickly. Vacuum early, and never shrink the file: that would lock the table, and the plan for a
    -- file of one page is a scan that grows slow with the next thousand dead rows.
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    vacuum_truncate = off
);

CREATE INDEX IF NOT EXISTS "syncguard_locks_expires_at_ms_idx" ON "public"."syncguard_locks" (expires_at_ms);

-- One row for each key that was ever locked. Rows are never deleted: a counter that starts again breaks its fences.
CREATE TABLE IF NOT EXISTS "public"."syncguard_fence_counters" (
    fence_key TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    fence     BIGINT NOT NULL DEFAULT 0,
    key_debug TEXT   NULL
) WITH (
    -- Room for the next version of a row on its own page: no index entry changes when a counter is raised.
    fillfactor = 70
);

-- Least privilege, for a role that only takes and gives back locks:
--   GRANT USAGE ON SCHEMA "public" TO app;
--   GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."syncguard_locks" TO app;
--   GRANT SELECT, INSERT, UPDATE ON "public"."syncguard_fence_counters" TO app;
