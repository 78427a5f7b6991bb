"""The common parts of scenes of all games: numbers beside the board, and places in rows and columns."""

from brettwerk_games.rules.interface import Place, Text, Thing


def number_text(number: int) -> Text:
    """Return a number as a fact."""
    return Text("fact.number", {"number": str(number)})


def placed(columns: int, square: int, name: str, label: Text, *things: Thing) -> Place:
    """Return the place of a square on a board of so many columns, counted row by row from the top left."""
    row, column = divmod(square, columns)
    return Place(name, row, column, label, things)
