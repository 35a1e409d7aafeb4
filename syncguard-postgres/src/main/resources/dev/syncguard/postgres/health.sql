-- What keeps old versions of rows: transactions that began long ago, and how many such versions there are.
SELECT greatest(
           (SELECT max(extract(epoch FROM clock_timestamp() - act.xact_start))
            FROM pg_stat_activity AS act
            WHERE act.datname = current_database() AND act.pid <> pg_backend_pid() AND act.backend_xmin IS NOT NULL
                AND act.backend_type = 'client backend'),
           (SELECT max(extract(epoch FROM clock_timestamp() - pre.prepared))
            FROM pg_prepared_xacts AS pre WHERE pre.database = current_database()),
           0)::bigint AS oldest_seconds,
       (SELECT string_agg(tab.relname || ' (' || tab.n_dead_tup || ')', ', ')
        FROM pg_stat_all_tables AS tab
        WHERE tab.schemaname = {schema} AND tab.relname IN ({locks_table}, {counters_table})
            AND tab.n_dead_tup > {dead_limit} + tab.n_live_tup / 2) AS bloated
