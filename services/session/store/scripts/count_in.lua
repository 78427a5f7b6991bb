-- Counts something that lasts a while among others like it, if there is room; what is counted already lasts longer then.
--
-- KEYS: 1 those that are counted, by when they go
-- ARGV: 1 which one, 2 now, 3 when it goes, 4 at most so many, 5 seconds after which all of them are gone
-- Returns 1, or 0 when there is no room.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
