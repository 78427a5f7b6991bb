"""Tournaments: round robin and Swiss, from who has joined to the last standings."""
