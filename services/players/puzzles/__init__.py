"""Puzzles of the day.

Modules:
- collection.py: those that come with each game
- tables.py: what is kept of puzzles, days and players
- days.py: which puzzle a day has
- progress.py: what a player has done with a puzzle
- puzzles.py: answers the calls
- supply.py: gives archived games to workers, who make puzzles of them (services/ai/puzzles)
- intake.py: takes what they have made
"""
