"""The games as environments of others, for programs that learn: PettingZoo (every seat) and Gymnasium (one seat)."""
