-- Looks whether a session is new and its player may have one more, and counts it then for the address that it is created from.
--
-- KEYS: 1 the session's log, 2 the address's sessions (any key where there is no address), then the player's unfinished sessions in
--       every shard
-- ARGV: 1 id, 2 so many unfinished sessions a player has at most, 3 so many sessions of the address at most ('' for no address),
--       4 seconds that the address is remembered
-- Returns 'done', or 'there' for a session that exists, 'player' or 'address' for who has too many.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 'there'
end
local unfinished = 0
for i = 3, #KEYS do
  unfinished = unfinished + redis.call('SCARD', KEYS[i])
end
if unfinished >= tonumber(ARGV[2]) then
  return 'player'
end
if ARGV[3] ~= '' then
  if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 0 then
    if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then
      return 'address'
    end
    redis.call('SADD', KEYS[2], ARGV[1])
  end
  redis.call('EXPIRE', KEYS[2], ARGV[4])
end
return 'done'
