-- Ends a run for who asked for it. Returns 0 where there is no such run, 1 where it is somebody else's, 2 when it has ended.
--
-- ARGV: 2 run, 3 mark of the player
local id = ARGV[2]
local owner = field(id, 'owner')
if not owner then
  return 0
end
if owner ~= ARGV[3] then
  return 1
end
if is_open(id) then
  close(id, CANCELLED)
end
return 2
