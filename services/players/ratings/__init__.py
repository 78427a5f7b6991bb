"""Ratings: how strong players are, by what they did against whom.

`glicko2`, `seats`, `pools`, `trust` and `rating_update` are pure; `rated_games` and `states` carry them out on stored results.
"""
