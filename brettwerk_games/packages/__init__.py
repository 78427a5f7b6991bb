"""Games that are installed beside Brettwerk as Python packages: where they are, and what their messages look like.

A package names its game by an entry point (`discovery.py`), and has the contract of its messages with it (`contract.py`), which
`building.py` makes from its .proto file when it is built. docs/write-a-game.md shows one.
"""
