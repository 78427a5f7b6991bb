-- Runs: what all scripts need. This comes before every other part.
--
-- KEYS: 1 bw:{runs}, which stands before the names of all keys: they are in one slot
-- ARGV: 1 now in milliseconds since 1970, 0 for the clock of this Redis
--
-- run:<id>     a run: wish, asked, owner, address, batch (games), batches, next, done (batches), played (games), state, created,
--              ended, until, keep, fails
-- tally:<id>   what was counted: g:<kind>:<key> games, w:<kind>:<key> wins
-- done:<id>    a bit for each batch that was counted
-- queue        runs with batches that nobody has had yet, by when they were served last
-- hands        "<run> <batch>" that is in hand, by until when
-- open, open:p<owner>, open:a<address>   runs that have not ended, by until when they are kept
-- of:<owner>   all runs of a player, by when they were asked for
-- workers      workers that live, by until when
-- served       counts what was given
local call = redis.call
local root = KEYS[1]
local now = tonumber(ARGV[1])
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local QUEUE, HANDS, OPEN = root .. ':queue', root .. ':hands', root .. ':open'
local WAITING, RUNNING, DONE, CANCELLED, FAILED = 1, 2, 3, 4, 5

local function run_key(id)
  return root .. ':run:' .. id
end

local function field(id, name)
  return call('HGET', run_key(id), name)
end

local function number(id, name)
  return tonumber(field(id, name) or 0)
end

local function is_open(id)
  local state = number(id, 'state')
  return state == WAITING or state == RUNNING
end

-- Forgets a run as one that has not ended.
local function not_open(id)
  call('ZREM', QUEUE, id)
  call('ZREM', OPEN, id)
  call('ZREM', OPEN .. ':p' .. field(id, 'owner'), id)
  call('ZREM', OPEN .. ':a' .. field(id, 'address'), id)
end

-- Ends a run. What was counted is kept for a while.
local function close(id, state)
  not_open(id)
  local till = now + number(id, 'keep')
  call('HSET', run_key(id), 'state', state, 'ended', now, 'until', till)
  call('DEL', root .. ':done:' .. id)
  call('PEXPIREAT', run_key(id), till)
  call('PEXPIREAT', root .. ':tally:' .. id, till)
end
