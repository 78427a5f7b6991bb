"""How often a stone may be moved, by the stones that are left: of all rolls, those that name it (EWN-TURN-3, EWN-TURN-4)."""

from brettwerk_games.rules.optional import OddsTable

_FACES = 6


def odds_tables() -> tuple[OddsTable, ...]:
    """Return the chance that a stone may be moved, by the next lower stone (row; 0: none) and the next higher (column; 7: none).

    A roll whose stone is gone lets the next lower or the next higher one move, so every roll between the two will do.
    """
    rows, columns = tuple(range(_FACES)), tuple(range(2, _FACES + 2))
    values = tuple(tuple((high - low - 1) / _FACES if high - low > 1 else -1.0 for high in columns) for low in rows)
    return (OddsTable("mobility", rows, columns, values, chances=True),)
