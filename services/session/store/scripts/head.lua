-- Looks which version a session has.
--
-- KEYS: 1 log
-- Returns its number, and the SHA-1 of the element that made it; 0 and nothing when there is no such session.
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then
  return { 0, '' }
end
return { redis.call('LLEN', KEYS[1]), redis.sha1hex(last) }
