-- Wants: how they come and go, and what becomes of those that were in hand.
local MAX_ATTEMPTS = 3 -- so often may it go wrong
local GIVEN = 10 -- so often may it be given in all: whole workers may die of it, too
local ODD_MS = 10000 -- how long another worker is waited for
local AGAIN_MS = 250
local MAX_AGAIN_MS = 30000
local MAX_COST_MS = 60000
local WEIGHT = 0.2 -- of the newest order in what the next is expected to take

local function hold_mark(mark)
  if call('HINCRBY', MARKS, mark, 1) == 1 then
    call('ZREM', IDLE, mark)
  end
end

local function release_mark(mark)
  if call('HINCRBY', MARKS, mark, -1) <= 0 then
    call('HDEL', MARKS, mark)
    call('ZADD', IDLE, now, mark)
  end
end

-- What an order takes with all of its time; it may be a whole turn of several thoughts.
local function expected(want)
  local cost = tonumber(call('HGET', COSTS, want.g) or want.t)
  return math.max(1, math.floor(math.min(cost, MAX_COST_MS) + 0.5))
end

local function learn(want, spent)
  local cost = tonumber(call('HGET', COSTS, want.g) or want.t)
  call('HSET', COSTS, want.g, string.format('%.1f', cost + (spent - cost) * WEIGHT))
end

-- Puts a want on the board that is not there.
local function note(key, want, payload)
  want.x = expected(want)
  if string.sub(want.m, 1, 1) == 'p' then
    hold_mark(want.m)
  end
  if want.a ~= '' then
    hold_mark(want.a)
  end
  if want.e > 0 then
    call('ZADD', ENDS, want.e, key)
  end
  if want.k ~= 'move' then
    add('inline', #payload)
  end
  call('HSET', PAYLOADS, key, payload)
  enqueue(key, want)
end

local function leave_place(key, want)
  if want.q == 'queue' then
    step_out(key, want)
  elseif want.q == 'odd' then
    call('ZREM', ODD, key)
    call('ZREM', AGES .. want.c, key)
  elseif want.q == 'later' then
    call('ZREM', LATER, key)
  elseif want.q == 'unplayable' then
    call('ZREM', UNPLAYABLE, key)
  end
end

-- Takes a want off the board, wherever it is. Who has it in hand goes on, but it is nobody's any more.
local function forget(key, want)
  leave_place(key, want)
  if string.sub(want.m, 1, 1) == 'p' then
    release_mark(want.m)
  end
  if want.a ~= '' then
    release_mark(want.a)
  end
  if want.e > 0 then
    call('ZREM', ENDS, key)
  end
  if want.k ~= 'move' then
    add('inline', -call('HSTRLEN', PAYLOADS, key))
  end
  call('HDEL', PAYLOADS, key)
  call('HDEL', WANTS, key)
end

local function put_newer(key, want, payload)
  if want.k ~= 'move' then
    add('inline', #payload)
  end
  want.y = payload
  call('HSET', NEWER, key, cmsgpack.pack(want))
end

-- Takes the newer want of a key from its place, and returns it with its payload.
local function take_newer(key)
  local packed = call('HGET', NEWER, key)
  if not packed then
    return nil
  end
  call('HDEL', NEWER, key)
  local want = cmsgpack.unpack(packed)
  local payload = want.y
  want.y = nil
  if want.k ~= 'move' then
    add('inline', -#payload)
  end
  return want, payload
end

-- Ends the old want of a key up to a version; a newer one comes to its place.
local function finish(key, want, version)
  local newer, payload = take_newer(key)
  forget(key, want)
  if newer and newer.v > version then
    note(key, newer, payload)
  end
end

local function give_up(key, want)
  want.q, want.h = 'unplayable', ''
  keep(key, want)
  call('ZADD', UNPLAYABLE, now, key)
  tell('unplayable')
end

-- What becomes of a want that was in hand and is not done. `why`: odd (its worker cannot), died (its process did), lost (its whole
-- worker is gone), back (it was given back), failed (the answer could not be handed over).
local function give_back(key, want, why)
  local newer, payload = take_newer(key)
  if newer then
    forget(key, want)
    note(key, newer, payload)
    return
  end
  local worker = string.match(want.h, '^%S+')
  want.h = ''
  if why ~= 'odd' and why ~= 'failed' then -- a worker counts those itself
    tell('returned')
  end
  if why == 'odd' or why == 'died' then
    want.d = want.d + 1
  end
  if want.d >= MAX_ATTEMPTS or why ~= 'back' and why ~= 'failed' and want.n >= GIVEN then
    give_up(key, want)
  elseif why == 'odd' then
    want.w = want.w .. worker .. ' '
    want.q = 'odd'
    keep(key, want)
    call('ZADD', ODD, now + ODD_MS, key)
    call('ZADD', AGES .. want.c, want.s, key)
  elseif why == 'failed' then
    want.q = 'later'
    keep(key, want)
    call('ZADD', LATER, now + math.min(AGAIN_MS * 2 ^ math.min(want.n - 1, 10), MAX_AGAIN_MS), key)
  else
    enqueue(key, want)
  end
end
