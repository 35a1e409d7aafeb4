-- What all scripts share; it stands in front of each of them.

-- For how long contenders respect a lock after its end: Liveness.TIME_TOLERANCE_MS.
local TOLERANCE_MS = 1000

local function serverTimeMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Reads any lock; nil if the text is something else. NaN fails both comparisons.
local function decode(text)
  if #text > 65536 then return nil end
  local ok, lock = pcall(cjson.decode, text)
  if ok and type(lock) == 'table' and type(lock.lockId) == 'string' and type(lock.expiresAtMs) == 'number'
      and lock.expiresAtMs >= 0 and lock.expiresAtMs < 1e15
      and type(lock.fence) == 'string' and #lock.fence == 15 and not string.find(lock.fence, '%D') then
    return lock
  end
  return nil
end

-- Lock id and end of a lock, and the whole of it only if it is not exactly what acquire.lua writes for a key without
-- escapes that nobody waits for. Most are, and this costs half of what JSON costs.
local function inspect(text)
  local lockId, expiresAtMs = string.match(text,
    '^{"lockId":"([%w_-]+)","expiresAtMs":(%d+),"acquiredAtMs":%d+,"key":"[^"\\]*","fence":"%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"}$')
  if lockId and #expiresAtMs <= 15 then return lockId, tonumber(expiresAtMs), nil end
  local lock = decode(text)
  if not lock then return nil end
  return lock.lockId, lock.expiresAtMs, lock
end

