"""The profiles that players look at: their own games and results, their ratings, and who leads."""
