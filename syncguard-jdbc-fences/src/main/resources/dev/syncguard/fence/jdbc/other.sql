-- The highest fence that has written to each resource. Rows are never deleted: a stale writer would pass.
-- The names must be compared byte by byte, blanks at the end included: choose the column's collation accordingly.
CREATE TABLE syncguard_fences (
    resource VARCHAR(512) NOT NULL PRIMARY KEY,
    fence    BIGINT NOT NULL
);
-- Least privilege, for a user that only writes behind the guard:
--   GRANT SELECT, INSERT, UPDATE ON syncguard_fences TO app;
