-- What all scripts share; it stands in front of each of them.

local function serverTimeMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Reads a lock; nil if the text is something else. NaN fails both comparisons.
local function decode(text)
  if #text > 65536 then return nil end
  local ok, lock = pcall(cjson.decode, text)
  if ok and type(lock) == 'table' and type(lock.lockId) == 'string' and type(lock.expiresAtMs) == 'number'
      and lock.expiresAtMs >= 0 and lock.expiresAtMs < 1e15
      and type(lock.fence) == 'string' and #lock.fence == 15 then
    return lock
  end
  return nil
end

