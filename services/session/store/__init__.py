"""Sessions in Redis: every write is one script, and commands go in pipelines over a few connections."""
