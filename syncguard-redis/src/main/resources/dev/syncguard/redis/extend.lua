-- KEYS[1] the index entry of the lock id
-- ARGV[1] lockId
-- ARGV[2] ttlMs
-- ARGV[3] how every storage key of this namespace begins
--
-- {1, expiresAtMs, remainingMs}; {0} somebody else's lock, {-1} not found, {-2} expired,
-- {-3} something else stands at the lock's key
--
-- No tolerance: an owner trusts its lease for less time than contenders do.

local lockKey = redis.call('GET', KEYS[1])
if not lockKey then return {-1} end
if string.sub(lockKey, 1, #ARGV[3]) ~= ARGV[3] then return {-3} end
local text = redis.call('GET', lockKey)
if not text then return {-1} end
local lockId, expiresAtMs, lock = inspect(text)
if not lockId then return {-3} end
if lockId ~= ARGV[1] then
  redis.call('DEL', KEYS[1])
  return {0}
end

local nowMs = serverTimeMs()
if expiresAtMs <= nowMs then return {-2} end

expiresAtMs = nowMs + ARGV[2]
if lock then
  lock.expiresAtMs = expiresAtMs
  text = cjson.encode(lock)
else
  text = string.gsub(text, '"expiresAtMs":%d+', '"expiresAtMs":' .. string.format('%.0f', expiresAtMs), 1)
end
-- First the write that a full server allows: after it, SET is allowed as well, and the holder keeps its lock.
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SET', lockKey, text, 'PX', ARGV[2])
return {1, expiresAtMs, tonumber(ARGV[2])}
