-- Reads a session: the newest state that is kept, and what the log has beside it.
--
-- KEYS: 1 log, 2 state, 3 requests (which release 0.1.0 kept)
-- ARGV: 1 version from which on the log is wanted ('' for all that is needed when nothing is known), 2 how many of the last entries
--       are wanted at least, since they hold the answers to repeated requests
-- Returns {length of the log, mark of the archive, version of the state (0: none), state, bytes of the log up to there, what the log
-- does not know, '1' when release 0.1.0 kept it, version before the first entry, entries, fields and values of requests,
-- conditional moves, orders}.
local length = redis.call('LLEN', KEYS[1])
local is_known = ARGV[1] ~= ''
local stored = redis.call('HMGET', KEYS[2], 'archived', 'at', is_known and 'archived' or 'state', 'logged', 'secrets', 'revision',
  'conditional', 'orders')
if is_known then
  local after = tonumber(ARGV[1])
  return { length, stored[1] or '', tonumber(stored[2] or '0'), '', stored[4] or '0', stored[5] or '', stored[6] and '1' or '', after,
    redis.call('LRANGE', KEYS[1], after, -1), {}, stored[7] or '', stored[8] or '' }
end
local at = stored[2] or string.match(stored[6] or '0', '^%d+')
if not stored[3] then
  at = '0'
end
local after = math.max(0, math.min(tonumber(at), length - tonumber(ARGV[2])))
return { length, stored[1] or '', tonumber(at), stored[3] or '', stored[4] or '0', stored[5] or '', stored[6] and '1' or '', after,
  redis.call('LRANGE', KEYS[1], after, -1), redis.call('HGETALL', KEYS[3]), stored[7] or '', stored[8] or '' }
