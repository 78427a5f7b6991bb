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

local function note_busy(worker, hands)
  local busy, slow = 0, 0
  for _, hand in pairs(hands) do
    busy = busy + 1
    if hand.quick == 0 then
      slow = slow + 1
    end
  end
  if busy == 0 then
    call('HDEL', BUSY, worker)
  else
    call('HSET', BUSY, worker, busy .. ' ' .. slow)
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
  call('HDEL', BUSY, worker)
  call('HDEL', WORKERS, worker)
end

-- Counts the workers, and returns how many processes are idle, and for how many of them there is a slot.
local function count_places()
  local all, busy = call('HGETALL', WORKERS), call('HGETALL', BUSY)
  local work = {}
  for at = 1, #busy, 2 do
    work[busy[at]] = busy[at + 1]
  end
  local workers, slots, idle, free = 0, 0, 0, 0
  for at = 1, #all, 2 do
    local worker = worker_of(all[at + 1])
    if worker.till > now then
      workers = workers + 1
      if not worker.closing then
        local taken, slow = string.match(work[all[at]] or '0 0', '^(%d+) (%d+)$')
        local own = math.max(0, worker.processes - taken)
        slots = slots + worker.slots
        idle = idle + own
        free = free + math.min(own, math.max(0, worker.slots - slow))
      end
    end
  end
  if workers ~= have('workers') or slots ~= have('slots') then
    set('workers', workers)
    set('slots', slots)
  end
  return idle, free
end

-- The share of their thinking time that persons' moves and hints get: less when what waits would take all workers too long.
local BACKLOG_MS = 2000

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
  local idle, free = count_places()
  local wanted = math.min(idle, quick + math.min(free, all - quick)) - have('promised')
  if wanted <= 0 then
    return 0
  end
  add('promised', wanted)
  return wanted
end

-- How all stands: epoch, workers, slots, how many wait, backlog in milliseconds, how many are noted.
local function demand()
  local waiting, backlog = 0, 0
  for class = PERSON, BACKGROUND do
    waiting = waiting + count(class)
    backlog = backlog + have('x:' .. class)
  end
  return { state.epoch or '', have('workers'), have('slots'), waiting, backlog, call('HLEN', WANTS) }
end
