-- Queues: what waits, and which of it is wanted most. Each mark has a queue of its own in each class and bucket, oldest first; only
-- its head stands among the heads.
--
-- A head's score is since when it waits: since it was wanted, or since its mark was served, or its address the eighth time
-- before. What is stored may be too early, never too late, and is put right when it comes first. Only what is in the same bucket
-- counts for that: the quick games of a player, or of an address, would else keep their slow ones waiting for ever.
local ADDRESS_MARKS = 8
local TURNS = 0.000001 -- how much of its own age a want keeps whose address was served: those of one address take turns by it

local function queue(class, bucket, mark)
  return class .. string.char(96 + bucket) .. mark .. '|'
end

local function place(key, want)
  return queue(want.c, want.b, want.m) .. string.format('%015.0f', want.s) .. '|' .. want.a .. '|' .. key
end

local function heads(class, bucket)
  return HEADS .. class .. string.char(96 + bucket)
end

-- When a mark or an address was last served, by bucket; of each the last times, oldest first.
local function served_of(name)
  local packed = call('HGET', SERVED, name)
  return packed and cmsgpack.unpack(packed) or {}
end

local function waits_since(since, mark, address, bucket)
  local times = served_of(mark)[bucket]
  if times and times[1] > since then
    since = times[1]
  end
  times = address ~= '' and served_of(address)[bucket]
  if times and #times == ADDRESS_MARKS and times[1] > since then
    since = times[1] - (times[1] - since) * TURNS
  end
  return since
end

-- The first of a queue: its key, since when it waits.
local function first_of(class, bucket, mark)
  local from = queue(class, bucket, mark)
  local first = call('ZRANGEBYLEX', QUEUES, '[' .. from, '[' .. from .. '\255', 'LIMIT', 0, 1)[1]
  if not first then
    return nil
  end
  local since, address, key = string.match(first, '^[^|]*|(%d+)|([^|]*)|(.*)$')
  return key, waits_since(tonumber(since), mark, address, bucket)
end

local looked = {} -- the first head of queues, where it was looked at and has not changed since

local function behead(class, bucket, mark)
  local key, since = first_of(class, bucket, mark)
  if key then
    call('ZADD', heads(class, bucket), since, mark)
  else
    call('ZREM', heads(class, bucket), mark)
  end
  looked[class * 100 + bucket] = nil
end

local function enqueue(key, want)
  want.q, want.h = 'queue', ''
  keep(key, want)
  call('ZADD', QUEUES, 0, place(key, want))
  call('ZADD', AGES .. want.c, want.s, key)
  behead(want.c, want.b, want.m)
  add_to_queue(want.c, want.b, 1)
  add('x:' .. want.c, want.x)
end

local function step_out(key, want)
  call('ZREM', QUEUES, place(key, want))
  call('ZREM', AGES .. want.c, key)
  behead(want.c, want.b, want.m)
  add_to_queue(want.c, want.b, -1)
  add('x:' .. want.c, -want.x)
end

-- How many wait in the queues of a class; of quick ones only where that is asked.
local function count(class, quick_only)
  if quick_only and class ~= HINT then
    return class == PERSON and quick_persons or 0
  end
  return in_class[class]
end

-- The key that is wanted most in a class. After so many that were put right, the best of these must do.
local function most_wanted(class, quick_only)
  for try = 1, 24 do
    local most, found, mark, score = -math.huge, nil, nil, nil
    for bucket = 1, BUCKETS do
      if (not quick_only or is_quick(class, bucket)) and (in_queue[class * 100 + bucket] or 0) > 0 then
        local first = looked[class * 100 + bucket]
        if not first then
          first = call('ZRANGE', heads(class, bucket), 0, 0, 'WITHSCORES')
          looked[class * 100 + bucket] = first
        end
        local ratio = first[2] and (now - first[2]) / 2 ^ bucket
        if ratio and ratio > most then
          most, found, mark, score = ratio, bucket, first[1], tonumber(first[2])
        end
      end
    end
    if not found then
      return nil
    end
    local key, since = first_of(class, found, mark)
    if key and (since <= score or try == 24) then
      return key
    end
    behead(class, found, mark)
  end
end

-- The class whose turn it is, or nil where nothing waits. While persons and hints wait, every fourth is a hint.
local function class_in_turn(quick_only)
  local persons, hints = count(PERSON, quick_only), count(HINT)
  if persons > 0 and hints > 0 then
    return have('turn') % 4 == 3 and HINT or PERSON
  elseif persons > 0 then
    return PERSON
  elseif hints > 0 then
    return HINT
  elseif quick_only then
    return nil
  end
  for class = WATCHER, BACKGROUND do
    if count(class) > 0 then
      return class
    end
  end
end

local function note_served(name, bucket, at, limit)
  local all = served_of(name)
  local times = all[bucket] or {}
  times[#times + 1] = at
  if #times > limit then
    table.remove(times, 1)
  end
  all[bucket] = times
  call('HSET', SERVED, name, cmsgpack.pack(all))
end

-- Notes that a mark and an address were served. Marks of single wants (k...) are not remembered. No two are served at the same
-- time, so that those who are given something together take turns, too.
local function serve(want)
  local clock = string.format('%.3f', math.max(now, have('clock')) + 0.001)
  set('clock', clock)
  local at = tonumber(clock)
  if string.sub(want.m, 1, 1) == 'p' then
    note_served(want.m, want.b, at, 1)
  end
  if want.a ~= '' then
    note_served(want.a, want.b, at, ADDRESS_MARKS)
  end
end
