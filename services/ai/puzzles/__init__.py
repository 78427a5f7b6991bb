"""Puzzles made of games that were played: positions in which few actions keep a seat's chances, and most lose much.

Modules:
- judgement.py: what an action is worth: by a player's own search, or by playing on from it for a while
- criteria.py: whether a position makes a puzzle, and what each of its actions keeps
- course.py: the positions of a finished game, from its record
- message.py: a puzzle as it is stored
- tasks.py: the task of the queue `puzzles`: a finished game in, puzzles out
- __main__.py: makes the puzzles that come with the project, of games among computers
"""
