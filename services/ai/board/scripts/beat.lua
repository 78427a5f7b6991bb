-- Says that a worker lives, and gives back what processes of it had that live no more.
--
-- ARGV: 2 worker, 3 its slots, 4 '1' when it is closing, 5 how long it lives without another beat, 6 how many workers there may be;
--       then its processes
-- Returns the processes that have had something in hand for too long; nothing where there are too many workers.
local NEW_MS = 2000 -- a process may be so new that the worker did not know it yet when it counted
local worker, slots, closing = ARGV[2], tonumber(ARGV[3]), ARGV[4]
local before = worker_of(call('HGET', WORKERS, worker))
if not before and call('HLEN', WORKERS) >= tonumber(ARGV[6]) then
  return false
end
local living, known, pids = {}, {}, {}
for at = 7, #ARGV do
  living[ARGV[at]] = true
  pids[#pids + 1] = ARGV[at]
end
if before then
  for pid in string.gmatch(before.pids, '[^,]+') do
    known[pid] = true
  end
end
local hands, late = hands_of(worker), {}
for pid, hand in pairs(hands) do
  if living[pid] then
    if hand.u < now then
      late[#late + 1] = pid
    end
  elseif known[pid] or hand.t < now - NEW_MS then
    empty_hand(worker, pid, hand, 'died')
    hands[pid] = nil
  end
end
note_places(worker, { processes = #pids, slots = slots, closing = closing == '1' }, hands)
call('HSET', WORKERS, worker, table.concat({ now + ARGV[5], slots, closing, #pids, table.concat(pids, ',') }, ' '))
add('workers', before and 0 or 1)
add('slots', (closing == '1' and 0 or slots) - (before and not before.closing and before.slots or 0))
save()
return late
