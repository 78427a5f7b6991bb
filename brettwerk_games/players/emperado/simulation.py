"""Whole games among computers for statistics: by the fast copy of the rules (contest.py), as the manual's authors did it."""

from collections.abc import Callable, Sequence
from typing import Any

from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.style import STYLES
from brettwerk_games.rules.emperado.game_end import END_RULE
from brettwerk_games.rules.emperado.maps import WORLDS
from brettwerk_games.rules.emperado.position import End
from brettwerk_games.rules.emperado.survey import LEADER_AT
from brettwerk_games.statistics.result import Mark, Result

MAX_ROUNDS = 100
"""A game without a winner by the end of this round counts as one without a winner (EMP-END-5)."""


class _Unwanted(Exception):
    """Nobody wants the game any more."""


def play_game(
    strengths: Sequence[int], names: Sequence[str], options: Any, seed: int, go_on: Callable[[], bool] = lambda: True
) -> Result | None:
    """Return how a game among computers of these strengths goes; None where one of them is no style of this player.

    Equal seeds give equal games. All seats are played by computers, whatever the options say of it. `go_on` is asked at every
    turn, since a game of experts takes many seconds; where it says no, None comes back.
    """
    if not all(0 <= strength < len(STYLES) for strength in strengths):
        return None
    computers = tuple(seat < len(strengths) for seat in range(len(options.computers)))
    contest = Contest([STYLES[strength] for strength in strengths], seed, options._replace(computers=computers))

    def ask() -> None:
        if not go_on():
            raise _Unwanted

    try:
        result = contest.play(MAX_ROUNDS, LEADER_AT, ask)
    except _Unwanted:
        return None
    continents = WORLDS[options.map].continents
    marks = [Mark("continent", continents[first].key, seat) for seat, first in enumerate(result.first_continents) if first >= 0]
    if result.leader >= 0:
        marks.append(Mark("leader", str(LEADER_AT), result.leader))
    return Result(
        seats=tuple(names),
        winners=(result.winner,) if result.winner >= 0 else (),
        rule=END_RULE[End(contest.match.end)] if contest.match.end else "",
        actions=result.actions,
        rounds=result.rounds,
        marks=tuple(marks),
    )
