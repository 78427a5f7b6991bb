"""Tables of Markdown, as all drivers print them."""

from collections.abc import Iterable, Sequence


def row(cells: Iterable[object]) -> str:
    """Return one line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(names: Sequence[str]) -> str:
    """Return the two lines that a table begins with."""
    return f"{row(names)}\n{row(['---'] * len(names))}"


def table(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a whole table."""
    return "\n".join([head(names), *map(row, rows)])
