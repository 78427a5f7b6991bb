-- Says that a worker ends: all that it has in hand is given back.
--
-- ARGV: 2 worker
local worker = worker_of(call('HGET', WORKERS, ARGV[2]))
dismiss(ARGV[2], 'back')
if worker then
  add('workers', -1)
  add('slots', worker.closing and 0 or -worker.slots)
end
save()
return 1
