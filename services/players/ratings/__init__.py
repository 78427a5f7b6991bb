"""Ratings: how strong players are, by what they did against whom. Pure functions; nothing here reads or stores."""
