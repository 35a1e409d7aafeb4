-- The columns of the two tables, and whether each has an index of its own.
SELECT tab.relname AS table_name, col.attname AS column_name, format_type(col.atttypid, NULL) AS type,
       coalesce(bool_or(ind.indexrelid IS NOT NULL), false) AS has_index,
       coalesce(bool_or(ind.indisunique), false) AS is_unique
FROM pg_namespace AS sch
JOIN pg_class AS tab ON tab.relnamespace = sch.oid AND tab.relname IN ({locks_table}, {counters_table})
JOIN pg_attribute AS col ON col.attrelid = tab.oid AND col.attnum > 0 AND NOT col.attisdropped
LEFT JOIN pg_index AS ind ON ind.indrelid = tab.oid AND ind.indnatts = 1 AND ind.indkey[0] = col.attnum
    AND ind.indisvalid AND ind.indpred IS NULL
WHERE sch.nspname = {schema}
GROUP BY tab.relname, col.attname, col.atttypid
