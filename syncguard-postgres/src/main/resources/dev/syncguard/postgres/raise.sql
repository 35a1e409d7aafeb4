-- Lifts a fence counter, never lowers it.
WITH settings AS MATERIALIZED (
    SELECT set_config('lock_timeout', {lock_timeout}, true),
           set_config('synchronous_commit', {commit}, true)
)
INSERT INTO {counters} AS stored (fence_key, fence)
SELECT {fence_key}, {fence} FROM settings
ON CONFLICT (fence_key) DO UPDATE SET fence = greatest(stored.fence, excluded.fence)
RETURNING stored.fence
