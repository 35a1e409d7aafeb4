-- The highest fence that has written to each resource. Rows are never deleted: a stale writer would pass.
-- Names are compared byte by byte, blanks at the end included (MySQL 8.0.17 or newer). The engine must have transactions.
CREATE TABLE IF NOT EXISTS syncguard_fences (
    resource VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL PRIMARY KEY,
    fence    BIGINT NOT NULL
) ENGINE = InnoDB;
-- Least privilege, for a user that only writes behind the guard:
--   GRANT SELECT, INSERT, UPDATE ON syncguard_fences TO app;
