-- KEYS[1] where the highest fence of the resource stands
local highest = redis.pcall('GET', KEYS[1])
if not highest then return {1} end
if type(highest) == 'table' and not string.find(highest.err, 'WRONGTYPE') then return highest end
if type(highest) ~= 'string' or #highest ~= 15 or string.find(highest, '%D') then return {-3} end
return {1, highest}
