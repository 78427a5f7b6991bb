"""The games as those of others, for programs that learn: OpenSpiel, PettingZoo (every seat) and Gymnasium (one seat)."""
