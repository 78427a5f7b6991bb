-- Ends what a process of a worker has finished, and gives it what is wanted most.
--
-- ARGV: 2 worker, 3 process, 4 at most so many orders, 5 what all of them but the first may cost, 6 how many are finished;
--       then of each: key, version, outcome, thinking time in milliseconds, '1' when it had all of its time
-- Returns {orders, how many others wait that it could have, 1 when its ticket is for another worker}. An order: key, version,
-- kind, thinking time granted and named, class, how long it waited, attempt, payload, list for the answer, traceparent.
local HAND_MS = 6000 -- beside its thinking time: handing over, and an alarm that comes late
local MIN_MS = 50 -- what ends sooner is not begun
local MARGIN_MS = 100 -- for the way back of what ends
local LOOKED_AT = 16 -- odd ones
local DONE = { played = true, late = true, gone = true, reviewed = true }
local worker, pid = ARGV[2], ARGV[3]
local own = worker .. ' ' .. pid
local hands = hands_of(worker)
local finished = tonumber(ARGV[6])

for number = 1, finished do
  local at = 2 + 5 * number
  local key, version, outcome = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
  local want = find(key)
  local is_own = want and want.q == 'hand' and want.h == own
  if want and DONE[outcome] then
    if want.v <= version then
      if is_own and ARGV[at + 4] == '1' and outcome ~= 'gone' then
        learn(want, tonumber(ARGV[at + 3]))
      end
      finish(key, want, version)
    end
  elseif is_own then
    give_back(key, want, outcome == 'odd' and 'odd' or 'failed')
  end
end
if hands[pid] then
  -- What it has not told of is not done: it was interrupted, or never heard that it was given this.
  empty_hand(worker, pid, hands[pid], 'back')
  hands[pid] = nil
elseif finished == 0 and have('promised') > 0 then
  add('promised', -1)
end

local place = worker_of(call('HGET', WORKERS, worker))
if not place or place.till <= now or place.closing then
  note_places(worker, nil, hands)
  save()
  return { {}, 0, 0 }
end

local slow = 0
for _, hand in pairs(hands) do
  slow = slow + 1 - hand.quick
end
local quick_only = slow >= place.slots
local think_share = share(math.max(place.slots, have('slots')))
local orders, hand, granted_all, cost_all = {}, { t = now, quick = 1, orders = {} }, 0, 0

local function granted_of(want)
  local granted = want.t
  if want.c == PERSON or want.c == HINT then
    granted = math.min(want.t, math.max(want.l, math.floor(want.t * think_share)))
  end
  if want.e > 0 then
    granted = math.min(granted, want.e - now - MARGIN_MS)
  end
  return granted
end

local function give(key, want, granted)
  serve(want)
  leave_place(key, want) -- later: the next of its queue is then known to wait since now
  want.n, want.q, want.h = want.n + 1, 'hand', own
  keep(key, want)
  hand.orders[#hand.orders + 1] = { key, want.v }
  if not is_quick(want.c, want.b) then
    hand.quick = 0
  end
  granted_all, cost_all = granted_all + granted, cost_all + want.x * granted / want.t
  orders[#orders + 1] = {
    key, want.v, want.k, granted, want.t, want.c, now - want.s, want.n, call('HGET', PAYLOADS, key), want.r, want.p,
  }
end

local function next_odd()
  for _, key in ipairs(call('ZRANGE', ODD, 0, LOOKED_AT - 1)) do
    local want = find(key)
    if not string.find(' ' .. want.w, ' ' .. worker .. ' ', 1, true) and (not quick_only or is_quick(want.c, want.b)) then
      return key, want
    end
  end
end

local function next_in_queue()
  local class = class_in_turn(quick_only)
  local key = class and most_wanted(class, quick_only)
  return key, key and find(key)
end

local limit = tonumber(ARGV[4])
local odd, of_odd
if limit > 0 then
  odd, of_odd = next_odd()
end
if odd then
  give(odd, of_odd, math.max(granted_of(of_odd), MIN_MS))
  limit = 1 -- and nothing beside it, in case that it costs the process its life
end
for _ = 1, 64 do
  if #orders >= limit then
    break
  end
  local key, want = next_in_queue()
  if not want then
    break
  end
  local granted = granted_of(want)
  if want.e > 0 and want.e - now - MARGIN_MS < MIN_MS then
    forget(key, want)
  elseif #orders > 0 and (want.d > 0 or cost_all + want.x * granted / want.t > tonumber(ARGV[5])) then
    break
  else
    local persons, hints = count(PERSON, quick_only), count(HINT)
    if persons > 0 and hints > 0 then
      set('turn', (have('turn') + 1) % 4)
    end
    give(key, want, granted)
    if want.d > 0 then
      break
    end
  end
end

if #orders > 0 then
  hand.u = now + granted_all + HAND_MS
  call('HSET', HAND .. worker, pid, cmsgpack.pack(hand))
  hands[pid] = hand
end
note_places(worker, place, hands)
local waiting, pass_on = count(PERSON, quick_only) + count(HINT), 0
local others = 0
for class = WATCHER, BACKGROUND do
  others = others + count(class)
end
if not quick_only then
  waiting = waiting + others
elseif #orders == 0 and others + count(PERSON) > 0 then
  if have('free') > have('promised') then
    pass_on = 1
    add('promised', 1)
  end
end
save()
return { orders, waiting, pass_on }
