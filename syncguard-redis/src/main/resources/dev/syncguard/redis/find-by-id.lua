-- KEYS[1] the index entry of the lock id
-- KEYS[2] the lock, if its key is known
-- ARGV[1] lockId
-- ARGV[2] how every storage key of this namespace begins
--
-- {1, key, lockId, acquiredAtMs, expiresAtMs, fence, label if there is one}; {0} no live lock, {-3} something else stands at the lock's key
-- {-7, lock}  no lock, but the index entry names this one: on a cluster it may be on another node

local lockKey = redis.call('GET', KEYS[1])
if not lockKey then return {0} end
if string.sub(lockKey, 1, #ARGV[2]) ~= ARGV[2] then return {-3} end
local text = redis.call('GET', lockKey)
if not text then return lockKey == KEYS[2] and {0} or {-7, lockKey} end
local lock = decode(text)
if not isComplete(lock) then return {-3} end
if lock.lockId ~= ARGV[1] then return {0} end
if lock.expiresAtMs <= serverTimeMs() - TOLERANCE_MS then return {0} end
return shown(lock)
