-- KEYS[1] the index entry of the lock id
-- ARGV[1] lockId
-- ARGV[2] how every storage key of this namespace begins
-- ARGV[3] the command that tells waiters: PUBLISH or SPUBLISH
--
-- 1 released, 0 somebody else's lock, -1 not found, -2 expired, -3 something else stands at the lock's key

local lockKey = redis.call('GET', KEYS[1])
if not lockKey then return -1 end
if string.sub(lockKey, 1, #ARGV[2]) ~= ARGV[2] then return -3 end
local text = redis.call('GET', lockKey)
if not text then
  redis.call('DEL', KEYS[1])
  return -1
end
local lockId, expiresAtMs, lock = inspect(text)
if not lockId then return -3 end
if lockId ~= ARGV[1] then
  redis.call('DEL', KEYS[1])
  return 0
end

local nowMs = serverTimeMs()
redis.call('DEL', lockKey, KEYS[1])
if expiresAtMs <= nowMs - TOLERANCE_MS then return -2 end
-- The lock is released even if nobody may be told.
if lock and lock.waiters then redis.pcall(ARGV[3], lockKey, lock.waiters) end
return 1
