"""The counts of a session besides its winners: its rounds, first continents, and who led at the start of round 12."""

from collections.abc import Iterable
from typing import NamedTuple

from brettwerk_games.rules.emperado.position import Position, seats_in
from brettwerk_games.rules.optional import Survey, SurveyMark

LEADER_AT = 12
"""The round at whose beginning it is noted who has most countries."""


class _Noted(NamedTuple):
    """Something, and the ply at which it was noted."""

    ply: int
    key: str
    seat: int


def survey(positions: Iterable[tuple[int, Position]]) -> Survey:
    """Return what is noted of a session.

    A seat's first continent is the first one that it is paid for (EMP-REINF-3); of several at once, the first on the map. A ply
    that is taken back is forgotten.
    """
    firsts: dict[int, _Noted] = {}
    leader: _Noted | None = None
    turn, rounds = (0, -1), 0
    for ply, position in positions:
        firsts = {seat: noted for seat, noted in firsts.items() if noted.ply <= ply}
        if leader is not None and leader.ply > ply:
            leader = None
        rounds, seat = position.round, position.to_move
        if (position.round, seat) == turn or position.end is not None:
            continue
        turn = (position.round, seat)
        if seat not in firsts and position.round > 1 and (paid := _paid(position, seat)):
            firsts[seat] = _Noted(ply, paid, seat)
        if leader is None and position.round == LEADER_AT:
            ahead = max(seats_in(position), key=position.owners.count)
            leader = _Noted(ply, str(LEADER_AT), ahead)
    marks = [SurveyMark("continent", noted.key, seat) for seat, noted in sorted(firsts.items())]
    if leader is not None:
        marks.append(SurveyMark("leader", leader.key, leader.seat))
    return Survey(rounds, tuple(marks))


def _paid(position: Position, seat: int) -> str:
    """Return the id of the first continent that a seat holds as a whole; empty for none."""
    for continent in position.world.continents:
        if all(position.owners[country] == seat for country in continent.countries):
            return continent.key
    return ""
