-- Grants a lock that was released to the first of its queue that can be told, as acquire.lua would; whether there was one.
-- A waiter hears of it after everything is written. It is granted the lock for its claim, and extends that.
local function handOver(released, lockKey, nowMs)
  local counter = KEYS[3] and redis.pcall('GET', KEYS[3]) or '0' -- the lock is gone: nothing may fail any more
  local grants = KEYS[3] and type(released.key) == 'string' and type(counter) == 'string'
    and (counter == '0' or string.find(counter, '^[1-9]%d*$')) and #counter <= 15 and tonumber(counter) < 900000000000000
  local left = released.queue
  if string.find(left, '[^%w_: -]') then return false end -- another client uses the field for something else
  while left ~= '' do
    local entry, others = string.match(left, '^ *(%S*) ?(.*)$')
    left = others
    local lockId, token, attempt, since, till, ttl, claim, mode, label = string.match(entry,
      '^([%w_-]+):([%w_-]+):(%d+):(%d+):(%d+):(%d+):(%d+):([tc]):(%x*)$')
    if lockId and tonumber(till) > nowMs then
      local channel, heir = ARGV[3] .. 'handover:' .. token, redis.sha1hex(lockId)
      if not grants then -- it looks for itself
        local told = redis.pcall(ARGV[2], channel, heir)
        if type(told) == 'number' and told > 0 then return true end
      else
        local index = ARGV[3] .. 'id:' .. lockId
        local ms = string.format('%.0f', math.max(1, math.min(tonumber(claim), tonumber(ttl))))
        if (redis.pcall('GET', index) or lockKey) == lockKey then
          redis.call('SET', index, lockKey, 'PX', ms)
          local last = tonumber(counter)
          local fence = (mode == 't' and nowMs > last and nowMs <= 90000000000000) and nowMs or last + 1
          redis.call('SET', KEYS[3], string.format('%.0f', fence))
          local text = string.format('%015.0f', fence)
          local expiresAtMs = string.format('%.0f', nowMs + ms)
          local lock = '{"lockId":"' .. lockId .. '","expiresAtMs":' .. expiresAtMs
            .. ',"acquiredAtMs":' .. string.format('%.0f', nowMs) .. ',"key":' .. cjson.encode(released.key)
            .. ',"fence":"' .. text .. '"'
          if type(released.waiters) == 'string' then lock = lock .. ',"waiters":' .. cjson.encode(released.waiters) end
          if left ~= '' then lock = lock .. ',"queue":"' .. left .. '"' end
          if label ~= '' then
            local plain = string.gsub(label, '%x%x', function(hex) return string.char(tonumber(hex, 16)) end)
            lock = lock .. ',"label":' .. cjson.encode(plain)
          end
          redis.call('SET', lockKey, lock .. '}', 'PX', ms)
          local waited = string.format('%.0f', math.max(0, nowMs - since))
          local told = redis.pcall(ARGV[2], channel,
            table.concat({heir, attempt, text, expiresAtMs, ms, waited}, ' '))
          if type(told) == 'number' and told > 0 then return true end
          counter = string.format('%.0f', fence) -- its process is gone: the next one
          redis.call('DEL', lockKey, index)
        end
      end
    end
  end
  return false
end

