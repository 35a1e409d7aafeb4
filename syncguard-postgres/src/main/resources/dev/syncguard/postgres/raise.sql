-- Lifts a fence counter, never lowers it.
INSERT INTO {counters} AS stored (fence_key, fence)
SELECT {fence_key}, {fence} FROM (SELECT {settings}) AS settings
ON CONFLICT (fence_key) DO UPDATE SET fence = greatest(stored.fence, excluded.fence)
RETURNING stored.fence
