-- Sets when a session is due, unless it has changed meanwhile, and counts an attempt when one is named.
--
-- KEYS: 1 state, 2 due, 3 attempts
-- ARGV: 1 id, 2 version expected, 3 when it is due, 4 attempt ('' for none), 5 seconds that counts are kept
-- Returns how often that was attempted; -1 when the session has changed.
if string.match(redis.call('HGET', KEYS[1], 'revision') or '', '^%d*') ~= ARGV[2] then
  return -1
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if ARGV[4] == '' then
  return 0
end
local count = redis.call('HINCRBY', KEYS[3], ARGV[4], 1)
redis.call('EXPIRE', KEYS[3], ARGV[5])
return count
