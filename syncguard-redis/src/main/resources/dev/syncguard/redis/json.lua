-- Changes one field of a JSON text and leaves every other byte as it is. What another client wrote does not survive
-- decoding and encoding: [] becomes {}, long numbers lose digits, 1e999 cannot be written at all.

-- Where the string that begins at a quote has its other quote.
local function endOfString(text, quote)
  local at = string.find(text, '["\\]', quote + 1)
  while string.sub(text, at, at) == '\\' do
    at = string.find(text, '["\\]', at + 2)
  end
  return at
end

-- The text with another value for a field of the outermost object, whose value is a string or a number. nil unless the
-- field stands there exactly once under this spelling. The text has been decoded before: it is JSON.
local function replaceField(text, name, value)
  local depth, at, from, to = 0, 1, nil, nil
  while true do
    local found, _, sign = string.find(text, '([{}%[%]"])', at)
    if not found then break end
    at = found + 1
    if sign == '"' then
      local quote = endOfString(text, found)
      at = quote + 1
      local _, colon = string.find(text, '^%s*:%s*', at)
      if colon and depth == 1 and string.sub(text, found + 1, quote - 1) == name then
        if from then return nil end
        from = colon + 1
        to = string.sub(text, from, from) == '"' and endOfString(text, from) or string.find(text, '[%s,}]', from) - 1
      end
    else
      depth = depth + ((sign == '{' or sign == '[') and 1 or -1)
    end
  end
  return from and string.sub(text, 1, from - 1) .. value .. string.sub(text, to + 1)
end

