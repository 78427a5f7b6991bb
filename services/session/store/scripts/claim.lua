-- Looks what is due in a shard, and puts it off for a while, in case nothing comes of it; notes that somebody sweeps.
--
-- KEYS: 1 due, 2 swept, 3 outages
-- ARGV: 1 now, 2 when what it takes is due again, 3 at most so many, 4 silence that is an outage (ms), 5 outages kept;
--       then the sessions that it leaves alone
-- Returns {outages ("from until"), ids, when the next one is due (nothing without one)}.
local now = tonumber(ARGV[1])
local swept = tonumber(redis.call('GET', KEYS[2]) or ARGV[1])
if now - swept > tonumber(ARGV[4]) then
  redis.call('LPUSH', KEYS[3], string.format('%.0f %.0f', swept, now))
  redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[5]) - 1)
end
if now >= swept then
  redis.call('SET', KEYS[2], ARGV[1])
end
local left = {}
for i = 6, #ARGV do
  left[ARGV[i]] = true
end
-- As many more as it may leave, or these would keep the others from their turn.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, tonumber(ARGV[3]) + #ARGV - 5)
local ids = {}
for _, id in ipairs(due) do
  if not left[id] and #ids < tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[1], ARGV[2], id)
    ids[#ids + 1] = id
  end
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { redis.call('LRANGE', KEYS[3], 0, -1), ids, first[2] or '' }
