-- KEYS[1] the lock, KEYS[2] the index entry of the lock id, KEYS[3] the fence counter
-- ARGV[1] lockId
-- ARGV[2] ttlMs
-- ARGV[3] the user's key
-- ARGV[4] 't' if the fence shall be at least the time
-- ARGV[5] who will wait if refused: the token of the caller, or nothing
-- ARGV[6] the tokens of others who wait, as far as the caller knows
-- ARGV[7] who holds the lock then, for operators; absent or nothing if that is not told
-- ARGV[8] absent, or where the caller queues if refused: the token of its process, a colon, the number of its attempt
-- ARGV[9] for how many milliseconds its place lasts unless it asks again
-- ARGV[10] for how many milliseconds what it is handed over lasts unless it is extended
--
-- 'lockId fence expiresAtMs remainingMs'
--       granted, now or before to the same lock id, which the client checks; one text, because a table costs more
-- {0, grantableInMs}
--       another lock id holds it
-- {-3}  something else stands at the lock's key
-- {-4}  the lock id holds another key
-- {-5}  the fence counter is damaged
-- {-6}  the fence counter is used up
--
-- A script is not rolled back: everything is checked before the first write, and the first write is itself a check.

local MAX_FENCE = 900000000000000
local WARN_FENCE = 90000000000000

-- The tokens of both lists, the first list first, each once. Tokens have one length, so none is part of two others.
local function join(list, more)
  for token in string.gmatch(more, '%S+') do
    if #list < 512 and not string.find(list, token, 1, true) then
      list = list == '' and token or list .. ' ' .. token
    end
  end
  return list
end

-- A queue without the places that have expired.
local function living(list, nowMs)
  local rest = {}
  for entry in string.gmatch(list, '%S+') do
    local till = string.match(entry, '^[^:]*:[^:]*:[^:]*:[^:]*:(%d+):')
    if till and tonumber(till) > nowMs then rest[#rest + 1] = entry end
  end
  return table.concat(rest, ' ')
end

-- The queue with the caller in it: at the end, or where it stands already. A waiter is written as
-- lockId:token:attempt:since:until:ttl:claim:fenceMode:label, the label in hexadecimal.
local function queued(list, nowMs)
  local label = string.gsub(ARGV[7], '.', function(c) return string.format('%02x', string.byte(c)) end)
  local entry = table.concat({ARGV[1], ARGV[8], string.format('%.0f', nowMs), string.format('%.0f', nowMs + ARGV[9]),
    ARGV[2], ARGV[10], ARGV[4], label}, ':')
  local from = string.find(list, ARGV[1] .. ':', 1, true)
  if from then
    local to = string.find(list, ' ', from, true) or #list + 1
    return string.sub(list, 1, from - 1) .. entry .. string.sub(list, to)
  end
  if #list + #entry > 16384 then list = living(list, nowMs) end
  if #list + #entry > 16384 then return list end -- full: this one polls
  return list == '' and entry or list .. ' ' .. entry
end

-- The text of a lock with a list in one of its fields; the text itself if another client uses the field for something else.
local function withList(text, field, before, list, ...)
  if before == nil then
    local brace = string.find(text, '}%s*$')
    return string.sub(text, 1, brace - 1) .. ',"' .. field .. '":"' .. list('', ...) .. '"' .. string.sub(text, brace)
  end
  if type(before) ~= 'string' or string.find(before, '[^%w_: -]') then return text end
  local after = list(before, ...)
  return after == before and text or replaceField(text, field, '"' .. after .. '"') or text
end

local nowMs = serverTimeMs()
local text = redis.call('GET', KEYS[1])
if text then
  local lock = decode(text)
  if not lock then return {-3} end
  if lock.lockId == ARGV[1] and lock.expiresAtMs > nowMs then
    -- A write that changes nothing, and is allowed on a full server: WAIT (ReplicaAcks) covers what this connection wrote,
    -- and the grant came over another one. Newer servers do not wait at all for a connection that only read.
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil(lock.expiresAtMs - nowMs)))
    return string.format('%s %s %.0f %.0f', lock.lockId, lock.fence, lock.expiresAtMs, lock.expiresAtMs - nowMs)
  end
  local grantableInMs = lock.expiresAtMs + TOLERANCE_MS - nowMs
  if grantableInMs > 0 then
    local marked = text
    if ARGV[5] ~= '' then marked = withList(marked, 'waiters', lock.waiters, join, ARGV[5] .. ' ' .. ARGV[6]) end
    if ARGV[8] then marked = withList(marked, 'queue', lock.queue, queued, nowMs) end
    -- Refused all the same if this cannot be written (out of memory): the waiter polls then.
    if marked ~= text then redis.pcall('SET', KEYS[1], marked, 'KEEPTTL') end
    return {0, grantableInMs}
  end
end

local counter = redis.call('GET', KEYS[3]) or '0'
if counter ~= '0' and not string.find(counter, '^[1-9]%d*$') then return {-5} end
if #counter > 15 or tonumber(counter) >= MAX_FENCE then return {-6} end
local last = tonumber(counter)

if not redis.call('SET', KEYS[2], KEYS[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('GET', KEYS[2]) ~= KEYS[1] then return {-4} end
  redis.call('SET', KEYS[2], KEYS[1], 'PX', ARGV[2])
end

local fence
if ARGV[4] == 't' and nowMs > last and nowMs <= WARN_FENCE then
  fence = nowMs
  redis.call('SET', KEYS[3], string.format('%.0f', fence))
else
  fence = redis.call('INCR', KEYS[3])
end
fence = string.format('%015.0f', fence)

local expiresAtMs = string.format('%.0f', nowMs + ARGV[2])
local lock = '{"lockId":"' .. ARGV[1] .. '","expiresAtMs":' .. expiresAtMs
  .. ',"acquiredAtMs":' .. string.format('%.0f', nowMs) .. ',"key":' .. cjson.encode(ARGV[3])
  .. ',"fence":"' .. fence .. '"'
if ARGV[6] ~= '' then lock = lock .. ',"waiters":"' .. ARGV[6] .. '"' end
if ARGV[7] and ARGV[7] ~= '' then lock = lock .. ',"label":' .. cjson.encode(ARGV[7]) end
redis.call('SET', KEYS[1], lock .. '}', 'PX', ARGV[2])
return ARGV[1] .. ' ' .. fence .. ' ' .. expiresAtMs .. ' ' .. ARGV[2]
