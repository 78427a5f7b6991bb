-- Tells all processes what no log knows.
--
-- KEYS: 1 events, 2 flow
-- ARGV: 1 id, 2 update, 3 bytes of events kept
tell(KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3]))
return 1
