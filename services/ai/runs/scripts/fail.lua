-- Notes that a batch went wrong: it is given to another after a moment, and the run is given up when that happens too often.
--
-- ARGV: 2 run, 3 batch, 4 how often that may be, 5 the moment
local id, member = ARGV[2], ARGV[2] .. ' ' .. ARGV[3]
call('ZREM', HANDS, member)
if is_open(id) then
  if call('HINCRBY', run_key(id), 'fails', 1) >= tonumber(ARGV[4]) then
    close(id, FAILED)
  else
    call('ZADD', HANDS, now + tonumber(ARGV[5]), member)
  end
end
return 1
