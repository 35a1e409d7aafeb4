-- The release of the specification, step by step, without the corrections of this project.
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local lockKey = redis.call('GET', KEYS[1])
if not lockKey then return -1 end
local lock = redis.call('GET', lockKey)
if not lock then return -1 end
local data = cjson.decode(lock)
if data.expiresAtMs <= (nowMs - tonumber(ARGV[2])) then
  redis.call('DEL', lockKey, KEYS[1])
  return -2
end
if data.lockId ~= ARGV[1] then return 0 end
redis.call('DEL', lockKey, KEYS[1])
return 1
