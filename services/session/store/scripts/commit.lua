-- Commits one write of a session: all of it or nothing.
--
-- KEYS: 1 state, 2 log, 3 updates, 4 requests, 5 due, 6 events, 7 flow, 8 attempts (which release 0.1.0 counts), 9 open,
--       10 running, 11 finished, then for every player of the session his list of sessions and his list of unfinished ones
-- ARGV: 1 id, 2 revision expected (0: the session is new), 3 revision made (the version, '-', a random mark), 4 state,
--       5 field of the request id ('' for none), 6 answer, 7 answers kept, 8 bytes of them, 9 seconds that they are kept,
--       10 when something is due, 11 bytes of events kept, 12 updates kept, 13 bytes of them,
--       14 positions kept, 15 bytes of them, 16 bytes of a log ('' for no bound),
--       17 list that the session belongs to now ('' for no change; open, running, finished, none), 18 its score there,
--       19 '1' when computer players are to be asked anew, 20 '1' when it makes a finished game go on, 21 '1' when it is over,
--       22 how many entries n; then n entries, n updates; then how many positions to drop, their fields;
--       then how many positions to keep, field and value of each; then for every player '1' when he still plays, else '0'
-- Returns {'done'}, {'known', answer}, {'lost', revision, state}, {'gone'}, {'archived'} or {'full'}.
local id, expected, revision = ARGV[1], ARGV[2], ARGV[3]
local version = tonumber(string.match(revision, '^%d+'))

if ARGV[5] ~= '' then
  local answer = redis.call('HGET', KEYS[4], ARGV[5])
  if answer then
    return { 'known', answer }
  end
end

local stored = redis.call('HMGET', KEYS[1], 'revision', 'archived', 'logged', 'updates')
local head = stored[1] or '0'
if head ~= expected then
  if head == '0' then
    return { 'gone' }
  end
  -- The mark tells two versions of the same number apart: a store that was set back may have made one anew.
  return { 'lost', head, redis.call('HGET', KEYS[1], 'state') }
end
if stored[2] and ARGV[20] == '1' then
  return { 'archived' }
end

local next = 23
local entries = tonumber(ARGV[22])
local logged = tonumber(stored[3] or '0')
for i = 0, entries - 1 do
  logged = logged + #ARGV[next + i]
end
if ARGV[16] ~= '' and logged > tonumber(ARGV[16]) then
  return { 'full' }
end
for i = 0, entries - 1 do
  redis.call('RPUSH', KEYS[2], ARGV[next + i])
end
next = next + entries

-- How many bytes the kept updates have is noted with their number: where that is wrong, a process of an older version wrote
-- meanwhile, and they are counted again.
local bytes, count = string.match(stored[4] or '', '^(%d+) (%d+)$')
bytes, count = tonumber(bytes), tonumber(count)
local there = redis.call('LLEN', KEYS[3])
if count ~= there then
  bytes, count = 0, there
  for _, packed in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
    bytes = bytes + #packed
  end
end
for i = 0, entries - 1 do
  local packed = ARGV[next + i]
  redis.call('RPUSH', KEYS[3], packed)
  bytes, count = bytes + #packed, count + 1
  tell(KEYS[6], KEYS[7], id, packed, tonumber(ARGV[11]))
end
while count > tonumber(ARGV[12]) or (bytes > tonumber(ARGV[13]) and count > 1) do
  bytes, count = bytes - #redis.call('LPOP', KEYS[3]), count - 1
end
next = next + entries
redis.call('HSET', KEYS[1], 'revision', revision, 'state', ARGV[4], 'over', ARGV[21],
  'logged', string.format('%.0f', logged), 'updates', string.format('%.0f %.0f', bytes, count))

local dropped = tonumber(ARGV[next])
next = next + 1
for i = 0, dropped - 1 do
  redis.call('HDEL', KEYS[1], ARGV[next + i])
end
next = next + dropped
local kept = tonumber(ARGV[next])
next = next + 1
local most, most_bytes = tonumber(ARGV[14]), tonumber(ARGV[15])
for i = 0, kept - 1 do
  local field, position = ARGV[next + 2 * i], ARGV[next + 2 * i + 1]
  redis.call('HSET', KEYS[1], field, position)
  -- Small positions are bounded by their number. With a large one the oldest go, which have no gaps between them.
  if #position * most > most_bytes then
    local plies = tonumber(string.sub(field, 2))
    local size = #position
    for older = plies - 1, math.max(0, plies - most), -1 do
      local length = redis.call('HSTRLEN', KEYS[1], 'p' .. older)
      if length == 0 then
        break
      end
      size = size + length
      if size > most_bytes then
        redis.call('HDEL', KEYS[1], 'p' .. older)
      end
    end
  end
end
next = next + 2 * kept

redis.call('ZADD', KEYS[5], ARGV[10], id)
if ARGV[19] == '1' then
  redis.call('DEL', KEYS[8])
end

if ARGV[17] ~= '' then
  local lists = { open = KEYS[9], running = KEYS[10], finished = KEYS[11] }
  for name, key in pairs(lists) do
    if name == ARGV[17] then
      redis.call('ZADD', key, ARGV[18], id)
    else
      redis.call('ZREM', key, id)
    end
  end
end
for i = 12, #KEYS, 2 do
  redis.call('ZADD', KEYS[i], ARGV[18], id)
  if ARGV[next + (i - 12) / 2] == '1' then
    redis.call('SADD', KEYS[i + 1], id)
  else
    redis.call('SREM', KEYS[i + 1], id)
  end
end

if ARGV[5] ~= '' then
  -- A ring of slots bounds the answers: the one whose slot is taken is forgotten. With a large one the oldest go as well.
  local slots, size = tonumber(ARGV[7]), #ARGV[6]
  for older = version, version - slots + 1, -1 do
    local slot = '#' .. (older % slots)
    local old = redis.call('HGET', KEYS[4], slot)
    if old then
      if older < version then
        size = size + redis.call('HSTRLEN', KEYS[4], old)
      end
      if older == version or size > tonumber(ARGV[8]) then
        redis.call('HDEL', KEYS[4], slot, old)
      end
    end
    if #ARGV[6] * slots <= tonumber(ARGV[8]) then
      break
    end
  end
  redis.call('HSET', KEYS[4], '#' .. (version % slots), ARGV[5], ARGV[5], ARGV[6])
  redis.call('EXPIRE', KEYS[4], ARGV[9])
end
return { 'done' }
