"""Achievements: what there is to reach, what a finished game counts for, and how far a player has come."""
