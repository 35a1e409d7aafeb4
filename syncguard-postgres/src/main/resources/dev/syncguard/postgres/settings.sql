SELECT current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('transaction_read_only') AS read_only,
       current_setting('synchronous_standby_names') AS standbys,
       pg_is_in_recovery() AS in_recovery,
       (SELECT count(*) FROM pg_stat_replication) AS replicas,
       (SELECT string_agg(tab.relname, ', ')
        FROM pg_namespace AS sch
        JOIN pg_class AS tab ON tab.relnamespace = sch.oid
        WHERE sch.nspname = {schema} AND tab.relname IN ({locks_table}, {counters_table})
            AND tab.relpersistence <> 'p') AS not_logged,
       {now} AS now_ms
