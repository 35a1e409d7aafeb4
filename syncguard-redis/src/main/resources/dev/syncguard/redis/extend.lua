-- KEYS[1] the index entry of the lock id
-- ARGV[1] lockId
-- ARGV[2] toleranceMs: 0, an owner trusts its lease for less time than contenders do
-- ARGV[3] ttlMs
-- ARGV[4] how every storage key of this namespace begins
--
-- {1, expiresAtMs, remainingMs}; {0} somebody else's lock, {-1} not found, {-2} expired,
-- {-3} something else stands at the lock's key

local lockKey = redis.call('GET', KEYS[1])
if not lockKey then return {-1} end
if string.sub(lockKey, 1, #ARGV[4]) ~= ARGV[4] then return {-3} end
local text = redis.call('GET', lockKey)
if not text then return {-1} end
local lock = decode(text)
if not lock then return {-3} end
if lock.lockId ~= ARGV[1] then
  redis.call('DEL', KEYS[1])
  return {0}
end

local nowMs = serverTimeMs()
if lock.expiresAtMs <= nowMs - ARGV[2] then return {-2} end

lock.expiresAtMs = nowMs + ARGV[3]
-- First the write that a full server allows: after it, SET is allowed as well, and the holder keeps its lock.
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', lockKey, cjson.encode(lock), 'PX', ARGV[3])
return {1, lock.expiresAtMs, lock.expiresAtMs - nowMs}
