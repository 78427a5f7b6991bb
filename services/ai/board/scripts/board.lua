-- The board: what is noted, and how many of it there are. This comes before every other part.
--
-- KEYS: 1 bw:{wanted}, which stands before the names of all keys: they are in one slot
-- ARGV: 1 now in milliseconds since 1970, 0 for the clock of this Redis
--
-- wants      key -> a want, as a table (below)
-- payloads   key -> what a worker is given for it
-- newer      key -> a want of a newer version, with its payload `y`, while an older one is in hand
-- lines      all that wait in line, by class, bucket, mark and age (lines.lua)
-- heads:CB   the marks with something in that line, by since when they wait
-- ages:C     keys of a class that are wanted and can be given, by since when
-- odd, later, unplayable, ends    keys, by when something happens to them
-- marks      mark -> how many wants it has; served: mark -> when it was served; idle: marks without wants, by since when
-- workers    worker -> "until slots closing count pids"; busy: worker -> "busy slow"; hand:WORKER: pid -> what it has in hand
-- costs      level -> what an order of it takes, in full
-- told       what became of wants, to be counted by an AI service
-- state      epoch, and numbers: see `have`
--
-- A want: v version, k kind, c class, b bucket, t named thinking time, l least, s since, m mark, a address, g level, e when it
-- ends (0: never), r list for the answer, p traceparent, x expected cost, n how often it was given, d how often that went wrong,
-- w the workers at which it did, q where it is (line, hand, odd, later, unplayable), h who has it in hand ("worker pid")
local call = redis.call
local PERSON, HINT, WATCHER, NOBODY, BACKGROUND = 1, 2, 3, 4, 5
local BUCKETS = 14
local QUICK = 8 -- buckets of persons' wants up to 256 ms
local BEFORE = KEYS[1] .. ':'
local WANTS, PAYLOADS, NEWER = BEFORE .. 'wants', BEFORE .. 'payloads', BEFORE .. 'newer'
local LINES, HEADS, AGES = BEFORE .. 'lines', BEFORE .. 'heads:', BEFORE .. 'ages:'
local ODD, LATER, UNPLAYABLE, ENDS = BEFORE .. 'odd', BEFORE .. 'later', BEFORE .. 'unplayable', BEFORE .. 'ends'
local MARKS, SERVED, IDLE = BEFORE .. 'marks', BEFORE .. 'served', BEFORE .. 'idle'
local WORKERS, BUSY, HAND = BEFORE .. 'workers', BEFORE .. 'busy', BEFORE .. 'hand:'
local COSTS, TOLD, STATE = BEFORE .. 'costs', BEFORE .. 'told', BEFORE .. 'state'

local now = tonumber(ARGV[1])
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- n:CB how many wait in a line, x:C what those of a class will cost, inline bytes that wants bring, promised tickets, slots and
-- workers, turn of persons and hints, clock: when
-- the last was served, swept: when that was done.
local state, changed = {}, {}
do
  local all = call('HGETALL', STATE)
  for at = 1, #all, 2 do
    state[all[at]] = all[at + 1]
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
  set(name, have(name) + count)
end

local function save()
  local fields = {}
  for name in pairs(changed) do
    fields[#fields + 1] = name
    fields[#fields + 1] = state[name]
  end
  if #fields > 0 then
    call('HSET', STATE, unpack(fields))
  end
end

local function tell(what, count)
  call('HINCRBY', TOLD, what, count or 1)
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
