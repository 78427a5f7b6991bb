-- Sets when a session is due, unless it has changed meanwhile.
--
-- KEYS: 1 log, 2 due
-- ARGV: 1 id, 2 version expected, 3 when it is due
-- Returns 0; -1 when the session has changed.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[2]) then
  return -1
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 0
