-- Keeps a viewing, or removes it.
--
-- KEYS: 1 lease, 2 viewing
-- ARGV: 1 who writes, 2 the epoch of the lease, 3 the viewing, empty to remove it, 4 seconds after which it goes unless it is kept
-- Returns 'done', or 'moved' when another process owns the shard.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then
  return 'moved'
end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[2])
else
  redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
end
return 'done'
