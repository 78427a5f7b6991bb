-- Notes a run.
--
-- ARGV: 2 id, 3 digest of the request, 4 mark of the player, 5 mark of the address ('' for none), 6 wish, 7 games of a batch,
--       8 batches, 9 how long it is kept, 10 most open runs of a player, 11 of an address, 12 in all, 13 most runs of a player
-- Returns 0 noted, 1 known, 2 known as another request, 3 to 5 which of the bounds of open runs is reached.
local id, owner, address, keep = ARGV[2], ARGV[4], ARGV[5], tonumber(ARGV[9])
local known = field(id, 'asked')
if known then
  return known == ARGV[3] and 1 or 2
end

local function is_full(key, limit)
  call('ZREMRANGEBYSCORE', key, '-inf', now)
  return call('ZCARD', key) >= tonumber(limit)
end

local of_player, of_address = OPEN .. ':p' .. owner, OPEN .. ':a' .. address
if is_full(of_player, ARGV[10]) then
  return 3
end
if address ~= '' and is_full(of_address, ARGV[11]) then
  return 4
end
if is_full(OPEN, ARGV[12]) then
  return 5
end
local till = now + keep
call('HSET', run_key(id), 'asked', ARGV[3], 'owner', owner, 'address', address, 'wish', ARGV[6], 'batch', ARGV[7], 'batches',
  ARGV[8], 'next', 0, 'done', 0, 'played', 0, 'state', WAITING, 'created', now, 'ended', 0, 'until', till, 'keep', keep)
call('PEXPIREAT', run_key(id), till)
call('ZADD', QUEUE, call('INCR', root .. ':served'), id)
for _, key in ipairs({ OPEN, of_player, address ~= '' and of_address or nil }) do
  call('ZADD', key, till, id)
  call('PEXPIRE', key, keep)
end
local all = root .. ':of:' .. owner
call('ZADD', all, now, id)
call('PEXPIRE', all, 2 * keep)
for _, old in ipairs(call('ZRANGE', all, 0, -1)) do
  if call('EXISTS', run_key(old)) == 0 then
    call('ZREM', all, old)
  elseif call('ZCARD', all) > tonumber(ARGV[13]) and not is_open(old) then
    call('DEL', run_key(old), root .. ':tally:' .. old)
    call('ZREM', all, old)
  end
end
return 0
