-- KEYS[1] the index entry of the lock id
-- KEYS[2] the lock, if its key is known
-- KEYS[3] the fence counter, if the lock may be handed over to a waiter
-- ARGV[1] lockId
-- ARGV[2] the command that tells waiters: PUBLISH or SPUBLISH
-- ARGV[3] how every storage key of this namespace begins
--
-- 1 released, 0 another client's lock, -1 not found, -2 expired, -3 something else stands at the lock's key
-- {-7, lock}  not found, but the index entry names this lock: on a cluster it may be on another node
--
-- The index entry is never deleted because the lock was not seen: the slot may be moving.

local lockKey = KEYS[2]
if not lockKey then
  lockKey = redis.call('GET', KEYS[1])
  if not lockKey then return -1 end
  if string.sub(lockKey, 1, #ARGV[3]) ~= ARGV[3] then return -3 end
end
local text = redis.call('GET', lockKey)
if not text then return KEYS[2] and -1 or {-7, lockKey} end
local lockId, expiresAtMs, lock = inspect(text)
if not lockId then return -3 end
if lockId ~= ARGV[1] then
  if redis.call('GET', KEYS[1]) == lockKey then redis.call('DEL', KEYS[1]) end
  local queue = lock and lock.queue
  if type(queue) == 'string' and string.find(queue, ARGV[1] .. ':', 1, true) and not string.find(queue, '[^%w_: -]') then
    local rest = {} -- it leaves the queue
    for entry in string.gmatch(queue, '%S+') do
      if string.sub(entry, 1, #ARGV[1] + 1) ~= ARGV[1] .. ':' then rest[#rest + 1] = entry end
    end
    local without = replaceField(text, 'queue', '"' .. table.concat(rest, ' ') .. '"')
    -- First a write that changes nothing and that a full server allows: after it, SET is allowed as well.
    local leftMs = math.ceil(expiresAtMs - serverTimeMs())
    if leftMs > 0 then redis.call('PEXPIRE', lockKey, string.format('%.0f', leftMs)) end
    if without then redis.pcall('SET', lockKey, without, 'KEEPTTL') end
  end
  return 0
end

local nowMs = serverTimeMs()
redis.call('DEL', lockKey, KEYS[1])
if expiresAtMs <= nowMs - TOLERANCE_MS then return -2 end
if lock and type(lock.queue) == 'string' and handOver(lock, lockKey, nowMs) then return 1 end
-- The lock is released even if nobody may be told.
if lock and type(lock.waiters) == 'string' then redis.pcall(ARGV[2], lockKey, lock.waiters) end
return 1
