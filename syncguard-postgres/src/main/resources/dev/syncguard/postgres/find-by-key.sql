SELECT key, lock_id, acquired_at_ms, expires_at_ms, fence, user_key
FROM {locks}
WHERE key = {key} AND expires_at_ms > {now} - {tolerance}
