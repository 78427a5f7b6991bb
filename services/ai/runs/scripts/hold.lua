-- Says that a batch is still being played.
--
-- ARGV: 2 run, 3 batch, 4 how long it is in hand from now on
-- Returns 1 when it is still wanted.
local id = ARGV[2]
if not is_open(id) then
  return 0
end
call('ZADD', HANDS, 'XX', now + tonumber(ARGV[4]), id .. ' ' .. ARGV[3])
return 1
