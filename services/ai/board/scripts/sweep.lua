-- Sees to what time brings about: lost workers, wants whose pause or time is over, tickets that are missing. Several services may
-- call this; one of them does it, twice a second, and all are told how the board stands.
--
-- ARGV: 2 an epoch for a board that has none, or is on another run of a server than before, 3 tickets that wait in the queue,
--       4 how seldom this is done in milliseconds, 5 which run of a server this is
-- Returns {how all stands, tickets, per class {waiting, the oldest's wait in milliseconds, cost}, what became of wants (name and
-- count by turns)}.
local AT_ONCE = 256
local KEEP_MS = 600000 -- how long marks are remembered, and wants that nobody can fulfil
local MAX_IDLE = 20000
-- A server that was started again, or has taken another's place, may lack what was noted last: all of it is to be noted again.
if not state.epoch or state.run ~= ARGV[5] then
  set('epoch', ARGV[2])
  set('run', ARGV[5])
end

local function due(set_name, till)
  return call('ZRANGEBYSCORE', set_name, '-inf', till, 'LIMIT', 0, AT_ONCE)
end

-- Does something with the wants whose time in a set has come.
local function each_due(set_name, till, work)
  for _, key in ipairs(due(set_name, till)) do
    local want = find(key)
    if want then
      work(key, want)
    end
    call('ZREM', set_name, key)
  end
end

local function sweep()
  local workers, gone = call('HGETALL', WORKERS), 0
  for at = 1, #workers, 2 do
    if gone < 8 and worker_of(workers[at + 1]).till <= now then
      dismiss(workers[at], 'lost')
      gone = gone + 1
    end
  end
  each_due(ENDS, now, function(key, want)
    finish(key, want, want.v)
  end)
  each_due(LATER, now, function(key, want)
    leave_place(key, want)
    enqueue(key, want)
  end)
  each_due(ODD, now, function(key, want)
    leave_place(key, want)
    give_up(key, want)
  end)
  each_due(UNPLAYABLE, now - KEEP_MS, forget)
  local marks = due(IDLE, now - KEEP_MS)
  if #marks == 0 and call('ZCARD', IDLE) > MAX_IDLE then
    marks = call('ZRANGE', IDLE, 0, AT_ONCE - 1)
  end
  if #marks > 0 then
    call('HDEL', SERVED, unpack(marks))
    call('ZREM', IDLE, unpack(marks))
  end
end

local promised, outcomes = 0, {}
if math.abs(now - have('swept')) >= tonumber(ARGV[4]) then
  set('swept', now)
  sweep()
  count_places()
  set('promised', tonumber(ARGV[3]))
  promised = tickets()
  outcomes = call('HGETALL', OUTCOMES)
  call('DEL', OUTCOMES)
end
local classes = {}
for class = PERSON, BACKGROUND do
  local oldest = call('ZRANGE', AGES .. class, 0, 0, 'WITHSCORES')[2]
  classes[class] = { call('ZCARD', AGES .. class), oldest and now - oldest or 0, have('x:' .. class) }
end
local all = demand()
save()
return { all, promised, classes, outcomes }
