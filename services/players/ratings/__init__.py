"""Ratings: how strong players are, by what they did against whom.

`glicko2`, `seats`, `pools` and `reckoning` are pure; `applying`, `rewinding` and `states` carry them out on stored results.
"""
