"""Turns that time ends, which differ in what was done in them unseen: nothing, or something before time was over."""

import random
from collections.abc import Iterable, Iterator

from brettwerk.v1 import record_pb2
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.kinds import PRIMARIES
from brettwerk_games.rules.wec.position import SPECTATOR, End, Position
from services.session.domain import clocks
from services.session.domain.commands import actions
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.crowds import crowded
from tests.services.session.rhythm import Deed, Played, begun, unseen_action

TURN_MS = 60_000
TIMED = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=TURN_MS)
LATEST_MS = 200
"""How long after that somebody looks at the session at the latest."""
STUNNED = 99
"""A ply until which primaries do not move: they come first in lists, and everybody sees them."""


def pairs(numbers: Iterable[int]) -> Iterator[tuple[Played, Played]]:
    """Yield pairs of sessions that look the same to an eye: a Turn in which nothing was done, and one with something unseen."""
    for number in numbers:
        dice = random.Random(number)
        position = _crowd(dice)
        eye = dice.choice((1 - position.active, SPECTATOR))
        if not _is_forced_unseen(position, eye):
            continue
        idle, busy = begun(position, eye, TIMED), begun(position, eye, TIMED)
        looks_ms = [dice.randrange(1, LATEST_MS) for _ in range(3)]
        for at_ms in sorted(dice.sample(range(1, TURN_MS), dice.randrange(1, 4))):
            action = unseen_action(dice, busy, moves=dice.random() < 0.7)
            if action is not None:
                busy.act(Deed(at_ms, position.active, action))
        run_out(idle, looks_ms)
        run_out(busy, looks_ms)
        if idle.seen == busy.seen and idle.state.version != busy.state.version:
            yield idle, busy


def run_out(session: Played, looks_ms: list[int]) -> None:
    """Let time end the running Turn, as whoever looks so long after that, and each time again a little later, plays it."""
    actor, now_ms = session.position.active, TURN_MS
    for late_ms in looks_ms:
        now_ms += late_ms
        if session.position.active != actor or session.position.end != End.ON:
            return
        assert clocks.expired_seat(session.state, now_ms) == actor
        deed = Deed(TURN_MS, actor, GAME.expire(GAME.view(session.position, actor)))
        session.act(deed, actions.expiry_ms(session.state, now_ms), record_pb2.Acted.CAUSE_TIME)


def _crowd(dice: random.Random) -> Position:
    position = crowded(dice)
    options = position.options._replace(competitive=True, stealth_lock_on=False, stealth_range_detect=False)
    pieces = tuple(each._replace(stunned=STUNNED) if each.kind in PRIMARIES else each for each in position.pieces)
    return position._replace(options=options._replace(submergence_detector_range=0), pieces=pieces)


def _is_forced_unseen(position: Position, eye: int) -> bool:
    """Tell whether an eye sees nothing of what time would play first."""
    seat = None if eye == SPECTATOR else eye
    forced = GAME.expire(GAME.view(position, position.active))
    after = rules.apply(position, position.active, forced, SEED).position
    return GAME.view(after, seat) == GAME.view(position, seat)
