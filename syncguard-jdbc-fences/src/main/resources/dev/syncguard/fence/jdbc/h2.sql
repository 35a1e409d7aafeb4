-- The highest fence that has written to each resource. Rows are never deleted: a stale writer would pass.
-- Names must be compared byte by byte: not in a database with IGNORECASE=TRUE or a COLLATION, where 'a' is 'A'.
CREATE TABLE IF NOT EXISTS syncguard_fences (
    resource VARCHAR(512) NOT NULL PRIMARY KEY,
    fence    BIGINT NOT NULL
);
-- Least privilege, for a role that only writes behind the guard:
--   GRANT SELECT, INSERT, UPDATE ON syncguard_fences TO app;
