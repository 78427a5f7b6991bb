-- Adds an update to a shard's event stream and throws the oldest ones away, so that the stream stays below a bound of bytes. This
-- comes before the scripts that tell something.
--
-- events: the stream; flow: a hash of what went through it: `count` (how many there have ever been), `bytes` (of those that came
-- after `turn`) and `turn` (the id of one of them). When half of the bound has come since the last turn, all that came before that
-- turn goes. So each is added and thrown away once, and nothing has to be counted again.
-- Each has its number, so that a reader notices when some of them went before it had read them.
local function tell(events, flow, id, packed, bound)
  local number = redis.call('HINCRBY', flow, 'count', 1)
  local place = redis.call('XADD', events, '*', 's', id, 'u', packed, 'n', number)
  -- 128: what Redis takes for an entry beside its bytes.
  if redis.call('HINCRBY', flow, 'bytes', #packed + 128) * 2 < bound then
    return
  end
  local turn = redis.call('HGET', flow, 'turn')
  if turn then
    redis.call('XTRIM', events, 'MINID', turn)
  end
  redis.call('HSET', flow, 'turn', place, 'bytes', 0)
end
