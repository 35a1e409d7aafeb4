-- KEYS[1] the lock
--
-- {1, key, lockId, acquiredAtMs, expiresAtMs, fence, label if there is one}; {0} no live lock, {-3} something else stands at the lock's key

local text = redis.call('GET', KEYS[1])
if not text then return {0} end
local lock = decode(text)
if not isComplete(lock) then return {-3} end
if lock.expiresAtMs <= serverTimeMs() - TOLERANCE_MS then return {0} end
return shown(lock)
