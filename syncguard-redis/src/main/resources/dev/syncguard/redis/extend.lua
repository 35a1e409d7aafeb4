-- KEYS[1] the index entry of the lock id
-- KEYS[2] the lock, if its key is known
-- ARGV[1] lockId
-- ARGV[2] ttlMs
-- ARGV[3] 'at-least' if the lock must not expire earlier than it would anyway; else nothing
-- ARGV[4] without KEYS[2]: how every storage key of this namespace begins
--
-- {1, expiresAtMs, remainingMs}; {0} another client's lock, {-1} not found, {-2} expired,
-- {-3} something else stands at the lock's key
-- {-7, lock}  not found, but the index entry names this lock: on a cluster it may be on another node
--
-- No tolerance: an owner trusts its lease for less time than contenders do.

local lockKey = KEYS[2]
if not lockKey then
  lockKey = redis.call('GET', KEYS[1])
  if not lockKey then return {-1} end
  if string.sub(lockKey, 1, #ARGV[4]) ~= ARGV[4] then return {-3} end
end
local text = redis.call('GET', lockKey)
if not text then return KEYS[2] and {-1} or {-7, lockKey} end
local lockId, expiresAtMs, lock = inspect(text)
if not lockId then return {-3} end
if lockId ~= ARGV[1] then
  if redis.call('GET', KEYS[1]) == lockKey then redis.call('DEL', KEYS[1]) end
  return {0}
end

local nowMs = serverTimeMs()
if expiresAtMs <= nowMs then return {-2} end

local wantedMs = nowMs + ARGV[2]
if ARGV[3] ~= 'at-least' or wantedMs > expiresAtMs then
  expiresAtMs = wantedMs
  local expiry = string.format('%.0f', expiresAtMs)
  local changed, count = string.gsub(text, '^({"lockId":"[%w_-]+","expiresAtMs":)%d+,', '%1' .. expiry .. ',')
  text = count == 1 and changed or replaceField(text, 'expiresAtMs', expiry)
  -- Not written by acquire.lua: the field may stand there twice.
  local written = lock and text and decode(text)
  if lock and not (written and written.expiresAtMs == expiresAtMs) then return {-3} end
end
-- Rounded up: the expiry of another client's lock may have a fraction, and a ttl of 0 is refused.
local remainingMs = string.format('%.0f', math.ceil(expiresAtMs - nowMs))
-- First the write that a full server allows: after it, SET is allowed as well, and the holder keeps its lock.
if redis.call('PEXPIRE', KEYS[1], remainingMs) == 0 then redis.call('SET', KEYS[1], lockKey, 'PX', remainingMs) end
redis.call('SET', lockKey, text, 'PX', remainingMs)
return {1, expiresAtMs, expiresAtMs - nowMs}
