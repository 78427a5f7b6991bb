-- Counts a session for the address that it is created from, if there is room.
--
-- KEYS: 1 the address's sessions
-- ARGV: 1 id, 2 at most so many, 3 seconds that the address is remembered
-- Returns 1, or 0 when there is no room.
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 then
  if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then
    return 0
  end
  redis.call('SADD', KEYS[1], ARGV[1])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
