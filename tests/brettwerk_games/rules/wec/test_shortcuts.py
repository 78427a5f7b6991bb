"""Results kept, handed on and joined of parts equal the plain way's. BRETTWERK_WEC_GAMES sets how many games are played."""

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import GameRefusal
from brettwerk_games.rules.wec import GAME, action_list, boards, codec, items, movement, rules, visibility, weapons
from brettwerk_games.rules.wec import view as viewing
from brettwerk_games.rules.wec.actions import Doze, Exchange, Fire, Home
from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.kinds import CARRIES_IN
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import SPECTATOR, Position, View
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.working_copy import WorkingCopy
from tests.brettwerk_games.rules.wec import plain
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.random_games import play
from tests.brettwerk_games.rules.wec.test_random_games import options_of
from tests.night import by_day

GAMES = int(os.environ.get("BRETTWERK_WEC_GAMES", "8"))
TESTED = (Doze, Fire, Home, Exchange)


def any_options(number: int) -> Options:
    """Of all options, those that a game of this number has."""
    dice = random.Random(number)
    return options_of(number)._replace(
        stealth_invisible=dice.random() < 0.8,
        submerged_invisible=dice.random() < 0.8,
        stealth_lock_on=dice.random() < 0.5,
        doze_enemies=dice.random() < 0.5,
        king_may_be_stealthy=dice.random() < 0.5,
        homing_range=dice.randrange(10),
        stealth_detector_range=dice.randrange(4),
        panzer_range=dice.randrange(6, 9),
        cleric_range=dice.randrange(6, 9),
        queen_panzer_range=dice.randrange(6, 9),
        queen_cleric_range=dice.randrange(6, 9),
    )


def played_on(start: Position, number: int, most: int) -> Iterator[Position]:
    """Yield the positions of a game from a start position; what is listed first is not played more often than the rest."""
    dice, now = random.Random(number), start
    for _ in range(most):
        yield now
        legal = rules.actions(view(now, now.active))
        if not legal:
            return
        kind = dice.choice(sorted({type(action).__name__ for action in legal}))
        now = rules.apply(now, now.active, dice.choice([a for a in legal if type(a).__name__ == kind]), SEED).position


def positions(number: int) -> Iterator[Position]:
    """Yield positions of a random game, and of a game on a prepared board."""
    yield from list(play(number, any_options(number), 40))[::3]
    name = boards.names()[number % len(boards.names())]
    try:
        start = new(any_options(number)._replace(stun_duration=9), 2, boards.board(name), SEED).position
    except GameRefusal:
        return
    yield from played_on(start, number, 60)


class Compared:
    """Compares; it remembers what groups told, so that two that tell different things by one key are found."""

    def __init__(self) -> None:
        self.received: dict[Any, list[Any]] = {}

    def look_at(self, position: Position) -> None:
        assert position.unseen == plain.hidden(position)
        assert GAME.codec.encode(Kind.POSITION, position) == plain.encoded(position)
        again = GAME.codec.decode(Kind.POSITION, plain.encoded(position))
        views = [view(position, seat) for seat in (0, 1, None)]
        for seat, seen in zip((0, 1, None), views, strict=True):
            assert seen == plain.view(position, seat) == view(again, seat)
            assert GAME.codec.encode(Kind.VIEW, seen) == plain.encoded(seen)
        for seen, parts in zip(views, GAME.codec.encode_views(views, b""), strict=True):
            assert b"".join(parts) == plain.encoded(seen)
        self.look_at_list(view(position, position.active))

    def look_at_list(self, seen: View) -> None:
        legal, perspective = list(rules.actions(seen)), Perspective(seen)
        for piece in perspective.own():
            for carry in (False, True) if piece.kind in CARRIES_IN else (False,):
                found = movement.ways(perspective.field, perspective.options, piece, carry=carry)
                assert list(found.items()) == list(plain.ways(perspective, piece, carry=carry).items())
        if perspective.options.actions != Actions.MOVES_ONLY:
            assert {a for a in legal if isinstance(a, TESTED)} == (set(plain.legal(perspective)) if legal else set())
        grouped = []
        for key, size, make in GAME.groups(seen) or ():
            actions = list(make())
            assert len(actions) == size > 0
            received = [(action, GAME.choice(seen, action), GAME.write(seen, action)) for action in actions]
            assert self.received.setdefault(key, received) == received, f"one key, but not the same is told: {key}"
            grouped += actions
        assert grouped == legal


@pytest.fixture(scope="module")
def compared() -> Compared:
    return Compared()


@pytest.mark.parametrize("number", by_day(range(GAMES), 0))
def test_shortcuts_lead_where_the_plain_way_leads(number: int, compared: Compared) -> None:
    for position in positions(number):
        compared.look_at(position)


def look_at_games(games: int) -> None:
    compared = Compared()
    for number in range(games):
        for position in positions(number):
            compared.look_at(position)


def name_without_twins(field: Any, piece: Piece, *, seen: bool = True) -> str:
    return "?"


def hands_on_what_was_unseen(self: WorkingCopy, unseen: frozenset[int], **others: Any) -> Position:
    after: Position = FREEZE(self, self.hidden_at_first, **others)
    return after


FREEZE, HOPS_FROM, ROOM = WorkingCopy.freeze, movement._hops_from, items._room
FAULTS: list[tuple[Any, str, Any]] = [
    (action_list, "named", name_without_twins),
    (action_list, "reach", lambda *about: 0),
    (WorkingCopy, "freeze", hands_on_what_was_unseen),
    (viewing, "_shown_to_others", lambda piece: piece),
    (viewing, "_shown", lambda piece, ids: piece),
    (codec, "_piece_field", lambda piece, ply: codec._piece_bytes(piece, 1)),
    (Piece, "counts", False),
    (Piece, "is_open", True),
    (codec, "_begun_bytes", lambda about: b""),
    (codec, "_line_bytes", lambda line: b""),
    (viewing, "_history", lambda position, eye: viewing._history_of(position, SPECTATOR)),
    (codec, "_memory_bytes", lambda memory: b""),
    (codec, "_reserves_bytes", lambda reserves: (b"", b"")),
    (visibility, "suspects", lambda pieces, options: [p for p in pieces if p.place >= 2 * SQUARES]),
    (visibility, "targets", lambda pieces: frozenset()),
    (movement, "_flights", lambda place, seat: ()),
    (movement, "_hops_from", lambda *about: tuple((place, plans[:1]) for place, plans in HOPS_FROM(*about))),
    (items, "_room", lambda kind, used, carried, **stealth: ROOM(kind, used, (), **stealth)),
    (weapons, "_FREE", {kind: free[:1] for kind, free in weapons._FREE.items()}),
]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [pytest.param(*each, id=each[1]) for each in FAULTS],
)
def test_planted_faults_are_found(where: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, fault)
    with pytest.raises((AssertionError, KeyError, StopIteration)):
        look_at_games(12)
