"""Sessions in Redis: every write is one script, and commands go over few lines in pipelines."""
