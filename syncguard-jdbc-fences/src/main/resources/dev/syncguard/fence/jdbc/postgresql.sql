-- The highest fence that has written to each resource. Rows are never deleted: a stale writer would pass.
-- Names are compared byte by byte: with the collation of the system's library, an upgrade could make the index miss a row.
CREATE TABLE IF NOT EXISTS syncguard_fences (
    resource TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    fence    BIGINT NOT NULL
) WITH (
    -- Room for the next version of a row on its own page: no index entry changes when a fence advances.
    fillfactor = 70
);
-- Least privilege, for a role that only writes behind the guard; it also needs USAGE of the table's schema, which all
-- roles have of "public":
--   GRANT USAGE ON SCHEMA syncguard_schema TO app;
--   GRANT SELECT, INSERT, UPDATE ON syncguard_fences TO app;
