-- Keeps the orders of a session in place of those that it has, if those are the ones that the writer knows.
--
-- KEYS: 1 lease, 2 log, 3 state
-- ARGV: 1 who writes, 2 the epoch of the lease, 3 SHA-1 of the orders that it goes on from ('-' for none), 4 the orders
-- Returns 'done', 'lost' when others were given meanwhile, 'moved' when another process owns the shard, or 'gone' when there is no
-- such session.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then
  return 'moved'
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 'gone'
end
local orders = redis.call('HGET', KEYS[3], 'orders')
if (orders and redis.sha1hex(orders) or '-') ~= ARGV[3] then
  return 'lost'
end
redis.call('HSET', KEYS[3], 'orders', ARGV[4])
return 'done'
