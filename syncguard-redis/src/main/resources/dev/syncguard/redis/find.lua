-- Whether a lock that was decoded has everything that a lookup shows. NaN fails both comparisons.
local function isComplete(lock)
  return lock and type(lock.key) == 'string' and type(lock.acquiredAtMs) == 'number'
    and lock.acquiredAtMs >= 0 and lock.acquiredAtMs < 1e15
end


-- What a lookup answers. The label, if there is one, is the last element: nil ends a reply.
local function shown(lock)
  local label = type(lock.label) == 'string' and lock.label or nil
  return {1, lock.key, lock.lockId, lock.acquiredAtMs, lock.expiresAtMs, lock.fence, label}
end
