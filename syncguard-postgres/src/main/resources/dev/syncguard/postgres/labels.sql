-- Whether the table of locks has a place for labels.
SELECT count(*) = 2 AS kept
FROM pg_namespace AS sch
JOIN pg_class AS tab ON tab.relnamespace = sch.oid AND tab.relname = {locks_table}
JOIN pg_attribute AS col ON col.attrelid = tab.oid AND col.attnum > 0 AND NOT col.attisdropped
    AND col.attname IN ('label', 'label_lock_id') AND col.atttypid = 'text'::regtype
WHERE sch.nspname = {schema}
