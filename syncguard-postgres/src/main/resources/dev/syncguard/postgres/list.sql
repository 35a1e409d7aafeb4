SELECT key, lock_id, acquired_at_ms, expires_at_ms, fence, user_key, {label_of_holder} AS label
FROM {locks} AS stored
WHERE key > {after} AND expires_at_ms > {now} - {tolerance}
ORDER BY key
LIMIT {limit}
