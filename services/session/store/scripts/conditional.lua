-- Keeps the conditional moves of a session, while it is there. They are no part of the log, and go with the state.
--
-- KEYS: 1 lease, 2 log, 3 state
-- ARGV: 1 who writes, 2 the epoch of the lease, 3 the conditional moves of all seats; '' for none
-- Returns 'done', 'moved' when another process owns the shard, or 'gone' when there is no such session.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then
  return 'moved'
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 'gone'
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[3], 'conditional')
else
  redis.call('HSET', KEYS[3], 'conditional', ARGV[3])
end
return 'done'
