"""Hints and reviews are made of views: of two positions that look the same to a seat they are the same."""

import math

import pytest

from brettwerk_games.players.wec import EASY, NORMAL, WecPlayer
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.position import Position
from tests.brettwerk_games.rules.wec.pairs import pairs
from tests.night import SHARE, by_day

PAIRS = 3 if SHARE < 1 else 24


def advised(position: Position, seat: int, strength: int) -> object:
    view = GAME.codec.decode(Kind.VIEW, GAME.codec.encode(Kind.VIEW, GAME.view(position, seat)))
    player = WecPlayer(GAME, strength)
    review = [(advice.action, advice.win_chance) for advice in player.review(view, math.inf, 7)]
    thought = WecPlayer(GAME, strength).think(view, math.inf, 7)
    return review, thought.action, thought.win_chance


@pytest.mark.parametrize("strength", by_day([EASY, NORMAL], EASY))
def test_hints_tell_nothing_that_is_hidden(strength: int) -> None:
    looked_at = 0
    for pair in pairs(range(400)):
        if pair.eye == pair.here.active and looked_at < PAIRS:
            looked_at += 1
            assert advised(pair.here, pair.eye, strength) == advised(pair.there, pair.eye, strength)
    assert looked_at == PAIRS
