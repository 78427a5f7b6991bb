"""Games of EMPERADO's computer players that were played already, a line of JSON each: what a long run goes on from."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from brettwerk_games.players.emperado.contest import Result


class Kept:
    """A file of results by what was played. It does not know the player: another player needs another file."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one; a last line that was not finished counts as no game."""
        self._path = path
        self._results: dict[tuple[str, int], Result] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole, _, unfinished = text.rpartition("\n")
        if unfinished:
            path.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        for line in whole.splitlines():
            data = json.loads(line)
            self._results[data["series"], data["game"]] = _result(data["result"])

    def result(self, series: str, game: int) -> Result | None:
        """Return how a game of a series went, None where it was not played."""
        return self._results.get((series, game))

    def keep(self, series: str, first: int, results: Sequence[Result]) -> None:
        """Add games of a series, in order from number `first`."""
        with self._path.open("a", encoding="utf-8") as file:
            for game, result in enumerate(results, first):
                self._results[series, game] = result
                file.write(json.dumps({"series": series, "game": game, "result": asdict(result)}) + "\n")


def _result(data: dict[str, Any]) -> Result:
    """Return a result as it was before it was written: tuples have become lists."""
    turns = tuple((seat, mine, tuple(others)) for seat, mine, others in data.pop("strengths"))
    firsts, alive = tuple(data.pop("first_continents")), tuple(data.pop("alive"))
    return Result(**data, first_continents=firsts, alive=alive, strengths=turns)
