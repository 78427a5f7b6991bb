-- Looks at the lease of a shard, and renews, claims, hands over or lets go of it. The server's clock alone judges.
--
-- An epoch belongs to one owner and never comes again: whatever was begun under an older one is refused (commit.lua). Who renews a
-- lease that ran out keeps it when nobody has taken it, since nobody else can have written.
--
-- KEYS: 1 lease
-- ARGV: 1 process, 2 what to do (look: renew it, if it is its own; claim: take it, if it is free; seize: also from whoever had the
--       process's place before; give; release), 3 how long a lease holds (ms), 4 the process's place, 5 its format,
--       6 the greatest epoch that it knows of, 7 the epoch that is given or released, 8 who gets it, 9 their place, 10 their format,
--       11 the channel on which they are told
-- Returns {owner, epoch, ms that the lease still holds, format of its last owner}.
local own, what, life = ARGV[1], ARGV[2], tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local found = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'until', 'place', 'format')
local owner, epoch, till, place, format = found[1] or '', tonumber(found[2] or '0'), tonumber(found[3] or '0'), found[4] or '', found[5] or '0'

local function have(new_owner, new_place, new_format)
  owner, epoch, till, format = new_owner, math.max(epoch, tonumber(ARGV[6])) + 1, now + life, new_format
  redis.call('HSET', KEYS[1], 'owner', owner, 'epoch', epoch, 'until', string.format('%.0f', till), 'place', new_place, 'format', format)
end

if what == 'give' or what == 'release' then
  if owner == own and epoch == tonumber(ARGV[7]) then
    if what == 'give' then
      have(ARGV[8], ARGV[9], ARGV[10])
    else
      owner, till = '', 0
      redis.call('HSET', KEYS[1], 'owner', '', 'until', '0', 'place', '')
    end
    redis.call('PUBLISH', ARGV[11], owner)
  end
elseif owner == own then
  till = now + life
  redis.call('HSET', KEYS[1], 'until', string.format('%.0f', till))
elseif what == 'seize' and owner ~= '' and place == ARGV[4] then
  have(own, ARGV[4], ARGV[5])
elseif what ~= 'look' and till <= now then
  have(own, ARGV[4], ARGV[5])
end
return { owner, epoch, math.max(0, till - now), tonumber(format) }
