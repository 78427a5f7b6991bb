-- Removes an archived session.
--
-- KEYS: 1 state, 2 log, 3 updates, 4 requests, 5 due, 6 attempts, 7 open, 8 running, 9 finished, then the players' lists
-- ARGV: 1 id, 2 version expected
-- Returns 1, or 0 when the session has changed or is not archived.
local stored = redis.call('HMGET', KEYS[1], 'revision', 'archived')
if string.match(stored[1] or '', '^%d*') ~= ARGV[2] or stored[2] ~= 'archived' then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6])
redis.call('ZREM', KEYS[5], ARGV[1])
for i = 7, 9 do
  redis.call('ZREM', KEYS[i], ARGV[1])
end
for i = 10, #KEYS, 2 do
  redis.call('ZREM', KEYS[i], ARGV[1])
  redis.call('SREM', KEYS[i + 1], ARGV[1])
end
return 1
