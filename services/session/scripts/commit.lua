-- Commits one write of a session: all of it or nothing.
--
-- KEYS: 1 state, 2 log, 3 updates, 4 requests, 5 due, 6 events, 7 attempts, 8 open, 9 running, 10 finished,
--       then for every player of the session his list of sessions and his list of unfinished ones
-- ARGV: 1 id, 2 revision expected (0: the session is new), 3 revision made (the version, '-', a random mark), 4 state,
--       5 field of the request id ('' for none), 6 answer, 7 answers kept, 8 seconds that they are kept,
--       9 when something is due, 10 events kept, 11 updates kept,
--       12 list that the session belongs to now ('' for no change; open, running, finished, none), 13 its score there,
--       14 '1' when computer players are to be asked anew, 15 '1' when it makes a finished game go on,
--       16 how many entries n; then n entries, n updates; then how many positions to drop, their fields;
--       then how many positions to keep, field and value of each; then for every player '1' when he still plays, else '0'
-- Returns {'done'}, {'known', answer}, {'lost', revision, state}, {'gone'} or {'archived'}.
local id, expected, revision = ARGV[1], ARGV[2], ARGV[3]

if ARGV[5] ~= '' then
  local answer = redis.call('HGET', KEYS[4], ARGV[5])
  if answer then
    return { 'known', answer }
  end
end

local stored = redis.call('HMGET', KEYS[1], 'revision', 'archived')
local head = stored[1] or '0'
if head ~= expected then
  if head == '0' then
    return { 'gone' }
  end
  -- The mark tells two versions of the same number apart: a store that was set back may have made one anew.
  return { 'lost', head, redis.call('HGET', KEYS[1], 'state') }
end
if stored[2] and ARGV[15] == '1' then
  return { 'archived' }
end

redis.call('HSET', KEYS[1], 'revision', revision, 'state', ARGV[4])
local next = 17
local entries = tonumber(ARGV[16])
for i = 0, entries - 1 do
  redis.call('RPUSH', KEYS[2], ARGV[next + i])
end
next = next + entries
for i = 0, entries - 1 do
  local packed = ARGV[next + i]
  redis.call('RPUSH', KEYS[3], packed)
  redis.call('XADD', KEYS[6], 'MAXLEN', '~', ARGV[10], '*', 's', id, 'u', packed)
end
redis.call('LTRIM', KEYS[3], -tonumber(ARGV[11]), -1)
next = next + entries

local dropped = tonumber(ARGV[next])
next = next + 1
for i = 0, dropped - 1 do
  redis.call('HDEL', KEYS[1], ARGV[next + i])
end
next = next + dropped
local kept = tonumber(ARGV[next])
next = next + 1
for i = 0, kept - 1 do
  redis.call('HSET', KEYS[1], ARGV[next + 2 * i], ARGV[next + 2 * i + 1])
end
next = next + 2 * kept

redis.call('ZADD', KEYS[5], ARGV[9], id)
if ARGV[14] == '1' then
  redis.call('DEL', KEYS[7])
end

if ARGV[12] ~= '' then
  local lists = { open = KEYS[8], running = KEYS[9], finished = KEYS[10] }
  for name, key in pairs(lists) do
    if name == ARGV[12] then
      redis.call('ZADD', key, ARGV[13], id)
    else
      redis.call('ZREM', key, id)
    end
  end
end
for i = 11, #KEYS, 2 do
  redis.call('ZADD', KEYS[i], ARGV[13], id)
  if ARGV[next + (i - 11) / 2] == '1' then
    redis.call('SADD', KEYS[i + 1], id)
  else
    redis.call('SREM', KEYS[i + 1], id)
  end
end

if ARGV[5] ~= '' then
  -- A ring of slots bounds the answers: the one whose slot is taken is forgotten.
  local slot = '#' .. (tonumber(string.match(revision, '^%d+')) % tonumber(ARGV[7]))
  local old = redis.call('HGET', KEYS[4], slot)
  if old then
    redis.call('HDEL', KEYS[4], old)
  end
  redis.call('HSET', KEYS[4], slot, ARGV[5], ARGV[5], ARGV[6])
  redis.call('EXPIRE', KEYS[4], ARGV[8])
end
return { 'done' }
