SELECT count(*) AS counters FROM (SELECT 1 FROM {counters} LIMIT {limit}) AS counted
