-- Tells how all stands: {batches whose time in hand is over, runs in the queue, batches in hand, open runs, workers that live}.
call('ZREMRANGEBYSCORE', root .. ':workers', '-inf', now)
call('ZREMRANGEBYSCORE', OPEN, '-inf', now)
return {
  call('ZCOUNT', HANDS, '-inf', now),
  call('ZCARD', QUEUE),
  call('ZCARD', HANDS),
  call('ZCARD', OPEN),
  call('ZCARD', root .. ':workers'),
}
