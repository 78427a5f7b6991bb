"""Which achievements a finished game counts for. Pure."""

from services.players.achievements.catalogue import ROW, achievements
from services.players.achievements.conditions import Played
from services.players.results.summary import FINISHED, Result, Summary


def feats(game: str, summary: Summary) -> dict[int, str]:
    """Return by the numbers of results the achievements that they count for, as they are stored (`stored_as`).

    They are those of players who began the game, where it began as its rules say. What counts in a row is not noted: results
    say it.
    """
    found: dict[int, str] = {}
    if summary.status != FINISHED or not summary.course.is_own:
        return found
    began = [one for one in summary.results if one.began]
    players = [one.player_id for one in began if one.player_id]
    for number, one in enumerate(summary.results):
        if one.began and players.count(one.player_id) == 1:  # who plays both sides overcomes nobody
            played = _played(summary, one, began)
            found[number] = " ".join(
                achievement.stored_as
                for achievement in (*achievements(game), *achievements(""))
                if achievement.counts != ROW and achievement.condition.holds(played)
            )
    return found


def _played(summary: Summary, one: Result, began: list[Result]) -> Played:
    plies = summary.course.plies
    return Played(
        one.result,
        [*summary.reason.split("."), ""][1],
        summary.seats,
        one.seat,
        one.place,
        frozenset(other.level for other in began if other.level and other.side != one.side),
        sum(bool(other.player_id) for other in began) - 1,
        any(other.side == one.side and other is not one for other in began),
        summary.competitive,
        [ply.notation for ply in plies if ply.seat == one.seat],
        [ply.notation for ply in plies if ply.seat != one.seat and ply.seat is not None],
    )
