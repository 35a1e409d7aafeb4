-- KEYS[1] the fence counter
-- ARGV[1] what it shall be at least
--
-- {1, counter} where it stands now, as 15 digits; {-6} used up: it cannot be raised any more
--
-- This is also the repair of a damaged counter: a text that is no number is replaced, a number is never lowered.

local counter = redis.call('GET', KEYS[1]) or '0'
if string.find(counter, '^%d+$') and (#counter > 15 or tonumber(counter) > 900000000000000) then return {-6} end
local last = tonumber(ARGV[1])
if counter == '0' or string.find(counter, '^[1-9]%d*$') then last = math.max(last, tonumber(counter)) end
local text = string.format('%.0f', last)
if text ~= counter then redis.call('SET', KEYS[1], text) end
return {1, string.format('%015.0f', last)}
