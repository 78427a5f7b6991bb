"""Achievements: what there is to be reached, for what a finished game counts, and how far a player is."""
