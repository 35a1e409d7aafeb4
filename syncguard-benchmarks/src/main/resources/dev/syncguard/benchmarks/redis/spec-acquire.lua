-- The acquire of the specification, step by step, without the corrections of this project: the floor to compare with.
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local existing = redis.call('GET', KEYS[1])
if existing then
  local data = cjson.decode(existing)
  if data.expiresAtMs > (nowMs - tonumber(ARGV[3])) then return 0 end
  if data.lockId then redis.call('DEL', KEYS[2]) end
end
local fence = string.format('%015d', redis.call('INCR', KEYS[3]))
local expiresAtMs = nowMs + tonumber(ARGV[2])
local lock = cjson.encode({lockId = ARGV[1], expiresAtMs = expiresAtMs, acquiredAtMs = nowMs, key = ARGV[5], fence = fence})
redis.call('SET', KEYS[1], lock, 'PX', tonumber(ARGV[2]))
redis.call('SET', KEYS[2], ARGV[4], 'PX', tonumber(ARGV[2]))
return {1, fence, expiresAtMs}
