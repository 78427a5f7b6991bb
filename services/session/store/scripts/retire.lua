-- Marks a session that is over as one that the archive has or is about to have: from here on no undo makes it go on.
--
-- KEYS: 1 log, 2 state, 3 due, 4 the shard's sessions that are over: the time of their end, or +inf when the archive has them
-- ARGV: 1 id, 2 version expected, 3 mark (archiving, archived), 4 when it is due again ('' as before)
-- Returns 1, or 0 when the session has changed.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[2], 'archived', ARGV[3])
if ARGV[4] ~= '' then
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
end
if ARGV[3] == 'archived' then
  redis.call('ZADD', KEYS[4], 'inf', ARGV[1])
end
return 1
