-- KEYS[1] the lock
-- ARGV[1] how every index entry of this namespace begins, if ended locks shall be removed; else nothing
-- ARGV[2] for how long a lock that is removed must have ended
--
-- 1 locked, 0 not locked, -3 something else stands at the lock's key

local text = redis.call('GET', KEYS[1])
if not text then return 0 end
local lock = decode(text)
if not lock then return -3 end
local endedForMs = serverTimeMs() - lock.expiresAtMs
if endedForMs < TOLERANCE_MS then return 1 end
if ARGV[1] ~= '' and endedForMs > tonumber(ARGV[2]) then
  redis.pcall('DEL', KEYS[1], ARGV[1] .. lock.lockId)
end
return 0
