-- Gives the next batch: one that somebody had in hand and was silent about for too long, or one of the run that was served longest ago.
--
-- ARGV: 2 how long it is in hand
-- Returns {run, batch, wish}; nothing when nothing waits.
local function given(id, batch)
  call('ZADD', HANDS, now + tonumber(ARGV[2]), id .. ' ' .. batch)
  if number(id, 'state') == WAITING then
    call('HSET', run_key(id), 'state', RUNNING)
  end
  return { id, batch, field(id, 'wish') }
end

for _, member in ipairs(call('ZRANGEBYSCORE', HANDS, '-inf', now, 'LIMIT', 0, 64)) do
  local id, batch = string.match(member, '^(%S+) (%d+)$')
  if is_open(id) then
    return given(id, tonumber(batch))
  end
  call('ZREM', HANDS, member)
end
for _, id in ipairs(call('ZRANGE', QUEUE, 0, 63)) do
  if is_open(id) then
    local batch = call('HINCRBY', run_key(id), 'next', 1) - 1
    if batch + 1 >= number(id, 'batches') then
      call('ZREM', QUEUE, id)
    else
      call('ZADD', QUEUE, call('INCR', root .. ':served'), id)
    end
    return given(id, batch)
  end
  call('ZREM', QUEUE, id)
end
return {}
