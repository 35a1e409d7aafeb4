-- Stands in front of a write. The last key is where the highest fence of the resource stands, the last argument the fence
-- of the writer; both are taken off, so that the write sees its own keys and arguments.
--
-- {0, fence} a newer fence was accepted before, {-3} something else stands where the fence should be; else {1, result}
--
-- The fence is advanced before the write: a script that fails half-way is not rolled back, and an older holder must not
-- write over what it left.

do
  local fenceKey, fence = KEYS[#KEYS], ARGV[#ARGV]
  KEYS[#KEYS] = nil
  ARGV[#ARGV] = nil
  local highest = redis.pcall('GET', fenceKey)
  -- Not read is not foreign: a user may lack the permission.
  if type(highest) == 'table' and not string.find(highest.err, 'WRONGTYPE') then return highest end
  if highest ~= fence then -- equal for all writes of a holder but the first
    if highest then
      if type(highest) ~= 'string' or #highest ~= 15 or string.find(highest, '%D') then return {-3} end
      if tonumber(fence) < tonumber(highest) then return {0, highest} end
    end
    redis.call('SET', fenceKey, fence)
  end
end
