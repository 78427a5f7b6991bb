-- Tells how all stands: {batches whose time in hand is over, runs in line, batches in hand, open runs, workers that live}.
call('ZREMRANGEBYSCORE', root .. ':workers', '-inf', now)
call('ZREMRANGEBYSCORE', OPEN, '-inf', now)
return {
  call('ZCOUNT', HANDS, '-inf', now),
  call('ZCARD', LINE),
  call('ZCARD', HANDS),
  call('ZCARD', OPEN),
  call('ZCARD', root .. ':workers'),
}
