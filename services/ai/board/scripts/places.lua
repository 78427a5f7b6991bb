-- Places: which workers live, and how many tickets there should be for what waits.

-- What is known of a worker: slots, whether it is closing, how many processes, which, and until when it lives; nil for none.
local function worker_of(record)
  if not record then
    return nil
  end
  local till, slots, closing, processes, pids = string.match(record, '^(%d+) (%d+) (%d) (%d+) (.*)$')
  return {
    till = tonumber(till), slots = tonumber(slots), closing = closing == '1', processes = tonumber(processes), pids = pids,
  }
end

-- What a worker has in hand, by process; it is in hand until `u`, and was taken at `t`.
local function hands_of(worker)
  local all, hands = call('HGETALL', HAND .. worker), {}
  for at = 1, #all, 2 do
    hands[all[at]] = cmsgpack.unpack(all[at + 1])
  end
  return hands
end

-- Notes how many processes of a worker are idle, and for how many of them there is a slot; none where it gets no orders (nil).
local function note_places(worker, place, hands)
  local idle, free = 0, 0
  if place and not place.closing then
    local busy, slow = 0, 0
    for _, hand in pairs(hands) do
      busy = busy + 1
      slow = slow + 1 - hand.quick
    end
    idle = math.max(0, place.processes - busy)
    free = math.min(idle, math.max(0, place.slots - slow))
  end
  local before = call('HGET', PLACES, worker)
  local was_idle, was_free = string.match(before or '0 0', '^(%d+) (%d+)$')
  add('idle', idle - was_idle)
  add('free', free - was_free)
  if idle + free == 0 then
    call('HDEL', PLACES, worker)
  else
    call('HSET', PLACES, worker, idle .. ' ' .. free)
  end
end

-- Lets go of what a process has in hand: all that is still its own is given back.
local function empty_hand(worker, pid, hand, why)
  local own = worker .. ' ' .. pid
  for _, order in ipairs(hand.orders) do
    local want = find(order[1])
    if want and want.q == 'hand' and want.h == own and want.v == order[2] then
      give_back(order[1], want, why)
    end
  end
  call('HDEL', HAND .. worker, pid)
end

local function dismiss(worker, why)
  for pid, hand in pairs(hands_of(worker)) do
    empty_hand(worker, pid, hand, why)
  end
  note_places(worker, nil, {})
  call('HDEL', WORKERS, worker)
end

-- Counts workers, slots and places anew, of those that live.
local function count_places()
  local all, places = call('HGETALL', WORKERS), {}
  local noted = call('HGETALL', PLACES)
  for at = 1, #noted, 2 do
    places[noted[at]] = noted[at + 1]
  end
  local workers, slots, idle, free = 0, 0, 0, 0
  for at = 1, #all, 2 do
    local worker = worker_of(all[at + 1])
    if worker.till > now then
      workers = workers + 1
      slots = slots + (worker.closing and 0 or worker.slots)
      local own_idle, own_free = string.match(places[all[at]] or '0 0', '^(%d+) (%d+)$')
      idle, free = idle + own_idle, free + own_free
    end
  end
  set('workers', workers)
  set('slots', slots)
  set('idle', idle)
  set('free', free)
end

-- The share of their thinking time that persons' moves and hints get: less when what waits would take all workers too long.
local BACKLOG_MS = 1000

local function share(slots)
  local backlog = have('x:' .. PERSON) + have('x:' .. HINT)
  return backlog > 0 and math.min(1, BACKLOG_MS * slots / backlog) or 1
end

-- Promises tickets, and returns how many: as many as places are idle for what waits, less those that are under way.
local function tickets()
  local quick, all = count(PERSON, true) + count(HINT), call('ZCARD', ODD)
  for class = PERSON, BACKGROUND do
    all = all + count(class)
  end
  if all == 0 then
    return 0
  end
  local wanted = math.min(have('idle'), quick + math.min(have('free'), all - quick)) - have('promised')
  if wanted <= 0 then
    return 0
  end
  add('promised', wanted)
  return wanted
end

-- Thinking time that was wanted lately, in milliseconds, as the load average of Unix has it: what was wanted a minute ago counts
-- for 1/e.
local LATELY_MS = 60000

local function wanted_lately()
  return have('lately') * math.exp(math.min(0, have('lately_at') - now) / LATELY_MS)
end

local function note_wanted(cost)
  if cost > 0 then
    set('lately', string.format('%.3f', wanted_lately() + cost))
    set('lately_at', now)
  end
end

-- How all stands: epoch, workers, slots, how many wait, backlog in milliseconds, how many are noted, thinking time wanted in a
-- second in milliseconds, 1 while anything waits or was wanted within a minute.
local function demand()
  local waiting, backlog = 0, 0
  for class = PERSON, BACKGROUND do
    waiting = waiting + count(class)
    backlog = backlog + have('x:' .. class)
  end
  local is_active = waiting > 0 or now - have('lately_at') < LATELY_MS
  local wanted = math.floor(wanted_lately() * 1000 / LATELY_MS + 0.5)
  local all = { state.epoch or '', have('workers'), have('slots'), waiting, backlog, call('HLEN', WANTS) }
  all[7], all[8] = wanted, is_active and 1 or 0
  return all
end
