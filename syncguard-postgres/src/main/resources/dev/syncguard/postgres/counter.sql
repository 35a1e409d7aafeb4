SELECT fence
FROM {counters}
WHERE fence_key = {fence_key}
