"""What calls mean: a command looks at a state and a moment and decides which entries they make, or refuses. Pure.

The order of refusals is the same everywhere: malformed, unknown, token, seat, running, stale, turn; what the rules forbid is
last, since the rules are asked when the entries are added (transaction.py).
"""
