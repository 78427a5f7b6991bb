-- Says for one process who is connected to a session by it, and looks who is at all. What a process said ends by itself.
--
-- KEYS: 1 log, 2 present
-- ARGV: 1 process, 2 its seats (bit n for seat n), 3 now, 4 how long that shall hold, both in milliseconds
-- Returns the version (0 when there is no such session), and the seats of all processes before and now.
local version = redis.call('LLEN', KEYS[1])
local before, after = 0, 0
local now, life, seats = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[2])
local own_seats, own_until = 0, 0
local said = redis.call('HGETALL', KEYS[2])
for at = 1, #said, 2 do
  local of, till = string.match(said[at + 1], '^(%d+) (%d+)$')
  of, till = tonumber(of), tonumber(till)
  before = bit.bor(before, of)
  if said[at] == ARGV[1] then
    own_seats, own_until = of, till
  elseif till > now then
    after = bit.bor(after, of)
  else
    redis.call('HDEL', KEYS[2], said[at])
  end
end
if version > 0 then
  after = bit.bor(after, seats)
end
if seats == 0 or version == 0 then
  if own_seats > 0 then
    redis.call('HDEL', KEYS[2], ARGV[1])
  end
elseif seats ~= own_seats or own_until - now < life / 2 then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now + life))
  redis.call('PEXPIRE', KEYS[2], 2 * life)
end
return { version, before, after }
