-- Commits writes of sessions, each of them wholly or not at all, whatever becomes of the others.
--
-- A session is its log: its version is the log's length, and what tells two versions of the same number apart (a store that was set
-- back may have made one anew) is its last element. Nothing else has to be written with an action. Before that the lease of the
-- session's shard must be the one under which the write was begun: whether it has run out meanwhile does not matter, as long as
-- nobody else has taken it.
--
-- KEYS: for every write: 1 log, 2 state, 3 due, 4 updates (which release 0.1.0 kept), 5 lease; then, where it ends or goes on again,
--       the shard's sessions that are over; then, where its list changes, open, running, finished and offered; then for every player
--       whose lists change their list of sessions and their list of unfinished ones
-- ARGV: 1 who writes, 2 how many writes; then for every write:
--       1 id, 2 version that it goes on from (0: the session is new), 3 SHA-1 of the log's last element then,
--       4 when something is due ('' as before), 5 lists that the session belongs to now ('' as before; open, running, finished, none,
--       running and offered),
--       6 its score there, 7 '1' when it makes a finished game go on, 8 '1' when it is over ('' as before),
--       9 a state to keep ('' for none), 10 its version, 11 bytes of the log up to there, 12 what the log does not know ('' as before),
--       13 '1' when what release 0.1.0 kept can go, 14 how many entries, 15 how many players,
--       16 the epoch of the lease, 17 SHA-1 of the orders that it goes on from ('-' for none, '' where orders stay as they are),
--       18 the orders ('' for none);
--       then the entries, then for every player '1' when they still play, else '0'
-- Returns for every write 'done', 'moved', 'lost', 'gone' or 'archived', or what went wrong.
local leases = {}

local function is_owned(key, epoch)
  local lease = leases[key]
  if not lease then
    lease = redis.call('HMGET', key, 'owner', 'epoch')
    leases[key] = lease
  end
  return lease[1] == ARGV[1] and lease[2] == epoch
end

local function write(key, at, counts)
  local id, expected = ARGV[at], ARGV[at + 1]
  local log, state = KEYS[key], KEYS[key + 1]
  if not is_owned(KEYS[key + 4], ARGV[at + 15]) then
    return 'moved'
  end
  local length = redis.call('LLEN', log)
  -- A log that is gone was archived or given up; one that is shorter or longer was written by somebody else.
  if length ~= tonumber(expected) then
    return length == 0 and 'gone' or 'lost'
  end
  -- The same length does not mean the same log: a store that was set back may have grown again otherwise.
  if length > 0 and redis.sha1hex(redis.call('LINDEX', log, -1)) ~= ARGV[at + 2] then
    return 'lost'
  end
  if ARGV[at + 6] == '1' and redis.call('HEXISTS', state, 'archived') == 1 then
    return 'archived'
  end
  -- Orders are no part of the log: somebody may have given others meanwhile.
  if ARGV[at + 16] ~= '' then
    local orders = redis.call('HGET', state, 'orders')
    if (orders and redis.sha1hex(orders) or '-') ~= ARGV[at + 16] then
      return 'lost'
    end
    if ARGV[at + 17] == '' then
      redis.call('HDEL', state, 'orders')
    else
      redis.call('HSET', state, 'orders', ARGV[at + 17])
    end
  end

  local entries, players = counts[1], counts[2]
  for i = at + 18, at + 17 + entries do
    redis.call('RPUSH', log, ARGV[i])
  end
  if ARGV[at + 12] == '1' then
    for _, field in ipairs(redis.call('HKEYS', state)) do
      if field == 'revision' or field == 'updates' or string.match(field, '^p%d+$') then
        redis.call('HDEL', state, field)
      end
    end
    redis.call('DEL', KEYS[key + 3])
  end
  if ARGV[at + 8] ~= '' then
    redis.call('HSET', state, 'state', ARGV[at + 8], 'at', ARGV[at + 9], 'logged', ARGV[at + 10])
  end
  if ARGV[at + 11] ~= '' then
    redis.call('HSET', state, 'secrets', ARGV[at + 11])
  end
  local due = KEYS[key + 2]
  key = key + 5
  if ARGV[at + 7] ~= '' then
    redis.call('HSET', state, 'over', ARGV[at + 7])
    if ARGV[at + 7] == '1' then
      redis.call('ZADD', KEYS[key], redis.call('TIME')[1], id)
    else
      redis.call('ZREM', KEYS[key], id)
    end
    key = key + 1
  end
  if ARGV[at + 3] ~= '' then
    redis.call('ZADD', due, ARGV[at + 3], id)
  end

  local place, score = ARGV[at + 4], ARGV[at + 5]
  if place ~= '' then
    for i, name in ipairs({ 'open', 'running', 'finished', 'offered' }) do
      if string.find(place, name, 1, true) then
        redis.call('ZADD', KEYS[key + i - 1], score, id)
      else
        redis.call('ZREM', KEYS[key + i - 1], id)
      end
    end
    key = key + 4
  end
  for i = 0, players - 1 do
    redis.call('ZADD', KEYS[key + 2 * i], score, id)
    redis.call(ARGV[at + 18 + entries + i] == '1' and 'SADD' or 'SREM', KEYS[key + 2 * i + 1], id)
  end
  return 'done'
end

local results, key, at = {}, 1, 3
for i = 1, tonumber(ARGV[2]) do
  local counts = { tonumber(ARGV[at + 13]), tonumber(ARGV[at + 14]) }
  -- Protected: one session's fault must not leave the others of this group without an answer.
  local is_well, result = pcall(write, key, at, counts)
  results[i] = is_well and result or (type(result) == 'table' and result.err or tostring(result))
  key = key + 5 + (ARGV[at + 7] ~= '' and 1 or 0) + (ARGV[at + 4] ~= '' and 4 or 0) + 2 * counts[2]
  at = at + 18 + counts[1] + counts[2]
end
return results
