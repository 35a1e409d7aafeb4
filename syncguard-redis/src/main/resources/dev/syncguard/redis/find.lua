-- Whether a lock that was decoded has everything that a lookup shows. NaN fails both comparisons.
local function isComplete(lock)
  return lock and type(lock.key) == 'string' and type(lock.acquiredAtMs) == 'number'
    and lock.acquiredAtMs >= 0 and lock.acquiredAtMs < 1e15
end

