"""Countdowns as people count them: in Turns of their own (WEC-RUL-1, WEC-UI-15)."""


def active_seat(ply: int) -> int:
    """Return whose Turn a ply is: Black's are the odd ones (WEC-GAME-4)."""
    return (ply + 1) % 2


def own_turns(ply: int, until: int, seat: int) -> int:
    """Return how many own Turns of a seat come until a ply, this Turn not counted (WEC-RUL-1)."""
    first = ply + 2 if active_seat(ply) == seat else ply + 1
    return max(0, (until - first) // 2 + 1)


def turns_stunned(ply: int, until: int, seat: int) -> int:
    """Return for how many own Turns of a seat, this one counted, a stun lasts that ends with the ply `until`."""
    first = ply if active_seat(ply) == seat else ply + 1
    return max(0, (until - first) // 2 + 1)


def stunned_until(ply: int, turns: int, seat: int) -> int:
    """Return the last ply of a stun that lasts so many own Turns of a seat, this one counted; 0 for none."""
    if turns == 0:
        return 0
    first = ply if active_seat(ply) == seat else ply + 1
    return first + 2 * (turns - 1)
