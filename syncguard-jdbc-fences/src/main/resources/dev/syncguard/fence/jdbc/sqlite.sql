-- The highest fence that has written to each resource. Rows are never deleted: a stale writer would pass.
CREATE TABLE IF NOT EXISTS syncguard_fences (
    resource TEXT    NOT NULL PRIMARY KEY,
    fence    INTEGER NOT NULL
);
