-- Counts the members of sets.
--
-- KEYS: the sets
-- ARGV: 1 the command that counts a set of their kind (SCARD, ZCARD)
-- Returns how many members they have together.
local count = 0
for _, key in ipairs(KEYS) do
  count = count + redis.call(ARGV[1], key)
end
return count
