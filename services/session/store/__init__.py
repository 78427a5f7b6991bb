"""Sessions in Redis: every write is one script, in one slot, and the shards' leases say which process may write."""
