"""Random games keep what always holds, and their notation rebuilds them. BRETTWERK_WEC_GAMES sets how many are played."""

import os
import random

import pytest

from brettwerk_games.rules.wec.board import GROUND
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import PRIMARIES
from brettwerk_games.rules.wec.options import (
    Actions,
    Amount,
    Dominance,
    ExchangeLevels,
    Government,
    Movement,
    Options,
    PawnVariant,
    ReinforcementTime,
    StunEffect,
    TransportStart,
)
from brettwerk_games.rules.wec.pieces import may_share, self_supporting, within_capacity
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec import history
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.random_games import articles, play, stock
from tests.night import by_day, examples

GAMES = int(os.environ.get("BRETTWERK_WEC_GAMES", examples(12)))
LONG = 12
"""So many games may take 250 Turns, all others 50."""


def options_of(number: int) -> Options:
    """Every second game has the standard options."""
    rng = random.Random(number)
    if number % 2:
        return Options()
    return Options(
        movement=rng.choice(list(Movement)),
        pawn_variant=rng.choice(list(PawnVariant)),
        government_black=rng.choice(list(Government)),
        government_white=rng.choice(list(Government)),
        dominance=rng.choice(list(Dominance)),
        transport_start=rng.choice(list(TransportStart)),
        actions=rng.choice([Actions.ALL, Actions.ALL, Actions.ONE_PER_PIECE]),
        stealth_range_detect=rng.random() < 0.5,
        off_level_rocket_range=rng.randrange(3),
        flame_range=rng.choice((1, 2)),
        king_may_leave_ground=rng.random() < 0.5,
        competitive=rng.random() < 0.5,
        stun_effect=rng.choice(list(StunEffect)),
        reinforcement_time=rng.choice(list(ReinforcementTime)),
        exchange_levels=rng.choice(list(ExchangeLevels)),
        reinforcements=rng.choice(list(Amount)),
        weapons=rng.choice(list(Amount)),
        xxx_boxes=rng.choice(list(Amount)),
    )


def check(position: Position, all_pieces: int) -> None:
    field = Field(position.pieces)
    ids = [piece.id for piece in position.pieces]
    assert ids == sorted(set(ids))
    assert len(position.pieces) + len(position.reserves) <= all_pieces
    assert articles(position) == stock(position.options), "an article was lost or made"
    assert all(len(lying) <= 2 for lying in position.ground)
    for place in field.at:
        there = field.on(place)
        assert len(there) <= 2
        if len(there) == 2:
            mixed = there[0].seat != there[1].seat
            assert mixed or may_share(*there), there
            if mixed and place >= 100:
                assert all(self_supporting(piece) for piece in there)
    for piece in position.pieces:
        assert within_capacity(piece.kind, piece.articles)
        assert piece.level == GROUND or field.supported(piece), piece
        if not position.options.king_may_leave_ground and piece.kind in PRIMARIES:
            assert piece.level == GROUND
    if position.end == End.ON:
        for seat in (0, 1):
            lost = position.turn.lost[seat] != End.ON
            assert lost or any(piece.seat == seat and piece.kind in PRIMARIES for piece in position.pieces)
    assert position.turn.fires <= 2
    assert len({p.number for p in position.projectiles}) == len(position.projectiles)


@pytest.mark.parametrize("number", by_day(range(GAMES), 0, 1))
def test_random_games_keep_what_always_holds_and_rebuild_from_their_notation(number: int) -> None:
    options = options_of(number)
    start = new(options, 2, None, SEED).position
    most = len(start.pieces) + len(start.reserves)
    last = start
    for position in play(number, options, 250 if number < LONG else 50):
        check(position, most)
        last = position
    rebuilt = history.rebuilt(start, (line.full for line in last.history))
    assert rebuilt.history == last.history
    if not last.turn.items:
        assert rebuilt == last
