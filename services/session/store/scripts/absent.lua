-- Looks whether a session is not there, as far as a server knows that could write it now.
--
-- KEYS: 1 log
-- Returns 1 or 0. Refused as a write is: by a replica, and by a master that lacks replicas.
return 1 - redis.call('EXISTS', KEYS[1])
