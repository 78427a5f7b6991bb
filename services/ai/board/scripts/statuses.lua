-- Tells how wants stand.
--
-- ARGV: 2 an epoch for a board that has none, then keys
-- Returns {how all stands, of each key {state, how many come before it, when its turn is in milliseconds, version}}.
-- States: 1 unknown, 2 waiting, 3 thinking, 4 unplayable.
if not state.epoch then
  set('epoch', ARGV[2])
end
local slots = have('slots')
local think_share = share(slots)
local marks, classes = {}, {}
for class = PERSON, BACKGROUND do
  classes[class] = count(class)
end

local function marks_of(class)
  if not marks[class] then
    local all = 0
    for bucket = 1, BUCKETS do
      if (in_queue[class * 100 + bucket] or 0) > 0 then
        all = all + call('ZCARD', heads(class, bucket))
      end
    end
    marks[class] = all
  end
  return marks[class]
end

-- How many of its class come before a want: the heads that are wanted more, and as many of all for each of its own queue.
local function before_in_class(key, want)
  local ratio = (now - waits_since(want.s, want.m, want.a, want.b)) / 2 ^ want.b
  local before = 0
  for bucket = 1, BUCKETS do
    if (in_queue[want.c * 100 + bucket] or 0) > 0 then
      before = before + call('ZCOUNT', heads(want.c, bucket), '-inf', '(' .. (now - ratio * 2 ^ bucket))
    end
  end
  local own = call('ZLEXCOUNT', QUEUES, '[' .. queue(want.c, want.b, want.m), '(' .. place(key, want))
  return math.min(classes[want.c] - 1, before + own * marks_of(want.c))
end

local function time_of(class, wants)
  if wants == 0 then
    return 0
  end
  local each = have('x:' .. class) / math.max(1, classes[class])
  return each * wants * (class <= HINT and think_share or 1)
end

local function turn_of(key, want)
  local own = before_in_class(key, want)
  local before, cost = own, time_of(want.c, own)
  local others = { 0, 0, 0, 0 }
  if want.c == PERSON then
    others[HINT] = math.min(classes[HINT], math.floor(own / 3))
  elseif want.c == HINT then
    others[PERSON] = math.min(classes[PERSON], 3 * own + 3)
  else
    for class = PERSON, want.c - 1 do
      others[class] = classes[class]
    end
  end
  for class, wants in ipairs(others) do
    before, cost = before + wants, cost + time_of(class, wants)
  end
  return before, slots > 0 and math.floor(cost / slots) or 0
end

local statuses = {}
for at = 3, #ARGV do
  local want = find(ARGV[at])
  if not want then
    statuses[#statuses + 1] = { 1, 0, 0, 0 }
  elseif want.q == 'queue' then
    local before, wait = turn_of(ARGV[at], want)
    statuses[#statuses + 1] = { 2, before, wait, want.v }
  else
    local state_of = want.q == 'hand' and 3 or want.q == 'unplayable' and 4 or 2
    local packed = call('HGET', NEWER, ARGV[at])
    statuses[#statuses + 1] = { state_of, 0, 0, packed and cmsgpack.unpack(packed).v or want.v }
  end
end
local all = demand()
save()
return { all, statuses }
