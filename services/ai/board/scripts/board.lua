-- The board: what is noted, and how many of it there are. This comes before every other part.
--
-- KEYS: 1 bw:{wanted}, which stands before the names of all keys: they are in one slot
-- ARGV: 1 now in milliseconds since 1970, 0 for the clock of this Redis
--
-- wants      key -> a want, as a table (below)
-- payloads   key -> what a worker is given for it
-- newer      key -> a want of a newer version, with its payload `y`, while an older one is in hand
-- queues     all that wait in a queue, by class, bucket, mark and age (queues.lua)
-- heads:CB   the marks with something in that queue, by since when they wait
-- ages:C     keys of a class that are wanted and can be given, by since when
-- odd, later, unplayable, ends    keys, by when something happens to them
-- marks      mark -> how many wants it has; served: mark -> when it was served; idle: marks without wants, by since when
-- workers    worker -> "until slots closing count pids"; places: worker -> "idle free"; hand:WORKER: pid -> what it has in hand
-- costs      level -> what an order of it takes, in full
-- outcomes   what became of wants, to be counted by an AI service
-- state      epoch, and numbers: see `have`
--
-- A want: v version, k kind, c class, b bucket, t named thinking time, l least, s since, m mark, a address, g level, e when it
-- ends (0: never), r list for the answer, p traceparent, x expected cost, n how often it was given, d how often that went wrong,
-- w the workers at which it did, q where it is (queue, hand, odd, later, unplayable), h who has it in hand ("worker pid")
local call = redis.call
local PERSON, HINT, WATCHER, NOBODY, BACKGROUND = 1, 2, 3, 4, 5
local BUCKETS = 14
local QUICK = 8 -- buckets of persons' wants up to 256 ms
local BEFORE = KEYS[1] .. ':'
local WANTS, PAYLOADS, NEWER = BEFORE .. 'wants', BEFORE .. 'payloads', BEFORE .. 'newer'
local QUEUES, HEADS, AGES = BEFORE .. 'queues', BEFORE .. 'heads:', BEFORE .. 'ages:'
local ODD, LATER, UNPLAYABLE, ENDS = BEFORE .. 'odd', BEFORE .. 'later', BEFORE .. 'unplayable', BEFORE .. 'ends'
local MARKS, SERVED, IDLE = BEFORE .. 'marks', BEFORE .. 'served', BEFORE .. 'idle'
local WORKERS, PLACES, HAND = BEFORE .. 'workers', BEFORE .. 'places', BEFORE .. 'hand:'
local COSTS, OUTCOMES, STATE = BEFORE .. 'costs', BEFORE .. 'outcomes', BEFORE .. 'state'

local now = tonumber(ARGV[1])
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- How many wait in each queue by class * 100 + bucket, x:C what those of a class will cost, inline bytes that wants bring, promised
-- tickets, idle places and free ones, slots and workers, turn of persons and hints, clock: when the last was served, swept: when
-- that was done, lately: thinking time that was wanted, and lately_at: when it last was (places.lua). What is 0 is not kept.
local state, changed = {}, {}
local in_queue, in_class, quick_persons = {}, { 0, 0, 0, 0, 0 }, 0

local function count_in(number, count)
  local class, bucket = math.floor(number / 100), number % 100
  in_queue[number] = (in_queue[number] or 0) + count
  in_class[class] = in_class[class] + count
  if class == PERSON and bucket <= QUICK then
    quick_persons = quick_persons + count
  end
end

do
  local all = call('HGETALL', STATE)
  for at = 1, #all, 2 do
    local number = tonumber(all[at])
    if number then
      count_in(number, tonumber(all[at + 1]))
    else
      state[all[at]] = all[at + 1]
    end
  end
end

local function have(name)
  return tonumber(state[name] or 0)
end

local function set(name, value)
  state[name] = value
  changed[name] = true
end

local function add(name, count)
  if count ~= 0 then
    set(name, have(name) + count)
  end
end

local function add_to_queue(class, bucket, count)
  count_in(class * 100 + bucket, count)
  changed[class * 100 + bucket] = true
end

local function save()
  local kept, gone = {}, {}
  for name in pairs(changed) do
    local value = state[name] or in_queue[name]
    if value == 0 then
      gone[#gone + 1] = name
    else
      kept[#kept + 1] = name
      kept[#kept + 1] = value
    end
  end
  if #kept > 0 then
    call('HSET', STATE, unpack(kept))
  end
  if #gone > 0 then
    call('HDEL', STATE, unpack(gone))
  end
end

local function tell(what, count)
  call('HINCRBY', OUTCOMES, what, count or 1)
end

local function find(key)
  local packed = call('HGET', WANTS, key)
  return packed and cmsgpack.unpack(packed) or nil
end

local function keep(key, want)
  call('HSET', WANTS, key, cmsgpack.pack(want))
end

-- The number and the letter of the bucket of a thinking time: those above half of 2^number, up to it.
local function bucket_of(think)
  local part, power = math.frexp(math.max(think, 1))
  if part == 0.5 then
    power = power - 1
  end
  return math.min(math.max(power, 1), BUCKETS)
end

local function is_quick(class, bucket)
  return class == HINT or class == PERSON and bucket <= QUICK
end
