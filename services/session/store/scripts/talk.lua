-- Adds a line to what is said at a session's table, while the session is there. Talk is no part of the log.
--
-- KEYS: 1 lease, 2 log, 3 talk
-- ARGV: 1 who writes, 2 the epoch of the lease, 3 the line, 4 seconds after which talk goes that nobody adds to;
--       then lines that make room for it
-- Returns 'done', 'moved' when another process owns the shard, or 'gone' when there is no such session.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then
  return 'moved'
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 'gone'
end
for i = 5, #ARGV do
  redis.call('LREM', KEYS[3], 1, ARGV[i])
end
redis.call('RPUSH', KEYS[3], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return 'done'
