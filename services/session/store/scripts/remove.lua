-- Removes an archived session.
--
-- KEYS: 1 log, 2 state, 3 due, then what release 0.1.0 kept (4 updates, 5 requests, 6 attempts), 7 talk, 8 open, 9 running,
--       10 finished, 11 offered, 12 over, then the players' lists
-- ARGV: 1 id, 2 version expected
-- Returns 1, or 0 when the session has changed or is not archived.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[2]) or redis.call('HGET', KEYS[2], 'archived') ~= 'archived' then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], KEYS[7])
redis.call('ZREM', KEYS[3], ARGV[1])
for i = 8, 12 do
  redis.call('ZREM', KEYS[i], ARGV[1])
end
for i = 13, #KEYS, 2 do
  redis.call('ZREM', KEYS[i], ARGV[1])
  redis.call('SREM', KEYS[i + 1], ARGV[1])
end
return 1
