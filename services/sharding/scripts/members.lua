-- Says that a process lives, and looks which others do.
--
-- KEYS: 1 members
-- ARGV: 1 process, 2 what it says of itself ('' when it goes), 3 how long it is believed (ms), 4 the channel on which a new one is told,
--       then processes that are known to be dead
-- Returns for every living process its name and what it said.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + tonumber(ARGV[3])) .. ARGV[2]) == 1 then
  redis.call('PUBLISH', ARGV[4], '')
end
for i = 5, #ARGV do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
local said, living = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #said, 2 do
  local till, what = string.match(said[i + 1], '^(%d+) (.*)$')
  if tonumber(till) > now then
    living[#living + 1] = said[i]
    living[#living + 1] = what
  else
    redis.call('HDEL', KEYS[1], said[i])
  end
end
return living
