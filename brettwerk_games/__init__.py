"""The games, their computer players and what both need: a package of its own, which knows nothing of the server.

`rules` holds the games, `players` the computer players, `packages` finds games that others have written and installed.
"""
