-- Takes what is due in a shard for one sweeper, so that several share the work, and notes that somebody sweeps.
--
-- KEYS: 1 due, 2 swept, 3 outages
-- ARGV: 1 now, 2 until when the sweeper has what it takes, 3 at most so many, 4 silence that is an outage (ms), 5 outages kept
-- Returns {outages ("from until"), ids}.
local now = tonumber(ARGV[1])
local swept = tonumber(redis.call('GET', KEYS[2]) or ARGV[1])
if now - swept > tonumber(ARGV[4]) then
  redis.call('LPUSH', KEYS[3], string.format('%.0f %.0f', swept, now))
  redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[5]) - 1)
end
if now >= swept then
  redis.call('SET', KEYS[2], ARGV[1])
end
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do
  redis.call('ZADD', KEYS[1], ARGV[2], id)
end
return { redis.call('LRANGE', KEYS[3], 0, -1), ids }
