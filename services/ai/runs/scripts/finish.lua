-- Counts a batch, once.
--
-- ARGV: 2 run, 3 batch, 4 how many games it has; then of each tally: <kind>:<key>, games, wins
-- Returns 1 when it was counted now, 0 when it was before, or the run has ended.
local id, batch = ARGV[2], tonumber(ARGV[3])
call('ZREM', HANDS, id .. ' ' .. batch)
if not is_open(id) or call('SETBIT', root .. ':done:' .. id, batch, 1) == 1 then
  return 0
end
local tally, till = root .. ':tally:' .. id, number(id, 'until')
for at = 5, #ARGV, 3 do
  call('HINCRBY', tally, 'g:' .. ARGV[at], ARGV[at + 1])
  call('HINCRBY', tally, 'w:' .. ARGV[at], ARGV[at + 2])
end
call('PEXPIREAT', tally, till)
call('PEXPIREAT', root .. ':done:' .. id, till)
call('HINCRBY', run_key(id), 'played', ARGV[4])
if call('HINCRBY', run_key(id), 'done', 1) >= number(id, 'batches') then
  close(id, DONE)
end
return 1
