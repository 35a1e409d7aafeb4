-- The columns of the two tables, whether each has an index of its own, and whether its texts are compared by their bytes
-- and not by a library of the system, whose next version may order them differently.
SELECT tab.relname AS table_name, col.attname AS column_name, format_type(col.atttypid, NULL) AS type,
       coalesce(bool_or(ind.indexrelid IS NOT NULL), false) AS has_index,
       coalesce(bool_or(ind.indisunique), false) AS is_unique,
       CASE WHEN col.attcollation = 0 THEN true
            WHEN coll.collname = 'default'
            THEN (SELECT dat.datcollate IN ('C', 'POSIX') AND coalesce(to_jsonb(dat) ->> 'datlocprovider', 'c') = 'c'
                      OR to_jsonb(dat) ->> 'datlocprovider' = 'b'
                  FROM pg_database AS dat WHERE dat.datname = current_database())
            ELSE coll.collname IN ('C', 'POSIX', 'ucs_basic')
       END AS by_bytes
FROM pg_namespace AS sch
JOIN pg_class AS tab ON tab.relnamespace = sch.oid AND tab.relname IN ({locks_table}, {counters_table})
JOIN pg_attribute AS col ON col.attrelid = tab.oid AND col.attnum > 0 AND NOT col.attisdropped
LEFT JOIN pg_collation AS coll ON coll.oid = col.attcollation
LEFT JOIN pg_index AS ind ON ind.indrelid = tab.oid AND ind.indnatts = 1 AND ind.indkey[0] = col.attnum
    AND ind.indisvalid AND ind.indpred IS NULL
WHERE sch.nspname = {schema}
GROUP BY tab.relname, col.attname, col.atttypid, col.attcollation, coll.collname
