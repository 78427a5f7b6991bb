-- Notes what is wanted. What is noted already stays where it is, but for who waits for it.
--
-- ARGV: 2 an epoch for a board that has none, 3 how many wants there may be, 4 how many before those that nobody waits for are
--       refused, 5 how many bytes what wants bring may have in all, 6 how many n; then of each: key, version, kind, class, named
--       and least thinking time, since when, mark ('' for none), address mark ('' for none), level, when it ends (0 for never),
--       list for the answer, traceparent, payload
-- Returns {how all stands, tickets, results, cost of what was noted by class in milliseconds}. Results: 0 known, 1 noted, 2 no room.
local FIELDS = 14
if not state.epoch then
  set('epoch', ARGV[2])
end
local waiting = call('HLEN', WANTS)
local results, costs = {}, { 0, 0, 0, 0, 0 }

local function offered(at)
  local think = tonumber(ARGV[at + 4])
  return {
    v = tonumber(ARGV[at + 1]), k = ARGV[at + 2], c = tonumber(ARGV[at + 3]), t = think, l = tonumber(ARGV[at + 5]),
    s = math.max(0, math.min(now, tonumber(ARGV[at + 6]))), m = ARGV[at + 7] ~= '' and ARGV[at + 7] or 'k' .. ARGV[at],
    a = ARGV[at + 8], g = ARGV[at + 9], e = tonumber(ARGV[at + 10]), r = ARGV[at + 11], p = ARGV[at + 12],
    b = bucket_of(think), n = 0, d = 0, w = '', h = '', q = 'queue',
  }
end

-- Whether a want says something else of the same version.
local function is_other(want, old)
  for _, name in ipairs({ 'k', 'c', 't', 'l', 'm', 'a', 'g', 'e', 'r' }) do
    if want[name] ~= old[name] then
      return true
    end
  end
  return false
end

-- Notes one and returns what became of it.
local function noted(key, want, payload)
  if want.k ~= 'move' and have('inline') + #payload > tonumber(ARGV[5]) then
    return 2
  end
  local old = find(key)
  if not old then
    if waiting >= tonumber(want.c >= NOBODY and ARGV[4] or ARGV[3]) then
      return 2
    end
    waiting = waiting + 1
    note(key, want, payload)
    return 1
  end
  if want.v < old.v then
    return 0
  end
  if old.q == 'hand' and want.v > old.v then
    local packed = call('HGET', NEWER, key)
    local newer = packed and cmsgpack.unpack(packed)
    if newer and newer.v > want.v then
      return 0
    end
    take_newer(key)
    put_newer(key, want, payload)
    return newer and newer.v == want.v and 0 or 1
  end
  if want.v > old.v then
    forget(key, old)
    note(key, want, payload)
    return 1
  end
  if old.q == 'queue' and (want.s < old.s or is_other(want, old)) then
    want.s, want.n, want.d, want.w = math.min(want.s, old.s), old.n, old.d, old.w
    forget(key, old)
    note(key, want, payload)
  elseif old.q == 'hand' and want.c ~= old.c then
    old.c = want.c -- for when it comes back
    keep(key, old)
  end
  return 0
end

for number = 1, tonumber(ARGV[6]) do
  local at = 7 + (number - 1) * FIELDS
  local want = offered(at)
  results[number] = noted(ARGV[at], want, ARGV[at + FIELDS - 1])
  if results[number] == 1 then
    local cost = expected(want)
    costs[want.c] = costs[want.c] + cost
    note_wanted(cost)
  end
end
local promised = tickets()
local all = demand()
save()
return { all, promised, results, costs }
