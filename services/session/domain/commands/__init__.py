"""The meaning of calls: given a state and a moment, a command decides which entries to make, or refuses. Pure.

The order of refusals is the same everywhere: malformed, unknown, token, seat, running, stale, turn; what the rules forbid comes
last, because the rules are asked when the entries are added (transaction.py).
"""
