"""Wins within a turn: found exactly where trying every move finds one, and played to the end."""

import math
import random

import pytest

from brettwerk_games.players.plateau import PlateauPlayer
from brettwerk_games.players.plateau.field import load, tools_of
from brettwerk_games.players.plateau.kernels.conquest import Conquest
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.options import Fallen, Options, Shape
from brettwerk_games.rules.plateau.position import Position, Turn, side
from brettwerk_games.rules.plateau.turns import begin
from tests.brettwerk_games.players.plateau.turns import siege, wins
from tests.brettwerk_games.rules.plateau.boards import begun, do, new
from tests.night import SHARE, by_day

TABLES = [
    (2, Options()),
    (2, Options(shape=Shape.FLAT)),
    (2, Options(jump_may_end=True)),
    (3, Options()),
    (4, Options()),
    (4, Options(alliance=True)),
    (4, Options(conquest_wins=True)),
    (3, Options(fallen=Fallen.REMOVE)),
    (4, Options(fallen=Fallen.REMOVE, alliance=True)),
]
LIMIT = 100_000
WIDTH = 272


def found(position: Position, limit: int = LIMIT) -> list[tuple[int, int, int]] | None:
    load(tools_of(position).ground, 0, position)
    moves: list[tuple[int, int, int]] | None = Conquest(tools_of(position).ground).found(0, WIDTH, limit)
    return moves


@pytest.mark.parametrize("number", by_day(range(len(TABLES)), 1))
def test_a_win_within_the_turn_is_found_exactly_when_trying_everything_finds_one(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(number)
    yes = no = 0
    rounds = 16 if SHARE >= 1 else 6
    for _ in range(rounds):
        position = siege(rng, seats, options)
        moves = found(position)
        there_is_one = wins(position)
        assert (moves is not None) == there_is_one
        yes, no = yes + there_is_one, no + (not there_is_one)
        after = position
        for move in moves or ():
            after = GAME.apply(after, 0, Move(*move), b"").position
        if moves:
            assert after.winner is not None
            assert side(after, after.winner) == side(position, 0)
    assert min(yes, no) >= rounds // 6


@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("number", by_day(range(len(TABLES)), 0, 5))
def test_a_player_plays_the_win_that_there_is(number: int, strength: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(100 + number)
    player = PlateauPlayer(GAME, strength)
    won = 0
    while won < 4:
        position = begin(siege(rng, seats, options)._replace(turn=Turn()))[0]
        if position.end is not None or position.to_move != 0 or found(position) is None:
            continue
        won += 1
        after = position
        for _ in range(12):
            thought = player.think(GAME.view(after, 0), math.inf, rng.getrandbits(60))
            assert not isinstance(thought.action, EndTurn)
            assert thought.win_chance > 0.99
            after = GAME.apply(after, 0, thought.action, b"").position
            if after.end is not None:
                break
        assert after.winner is not None
        assert side(after, after.winner) == side(position, 0)


def test_armies_step_out_of_the_way_of_a_conqueror() -> None:
    position = begun("6@D9 2@C9 2@B9 2@K1", "2@A8 2@A10 2@K9 2@D8 2@D10")
    moves = found(position)
    assert moves is not None
    assert len(moves) == 3
    assert GAME.write(GAME.view(position, 0), Move(*moves[0])).startswith("2 ")


def test_the_answer_to_an_open_ring_is_found() -> None:
    position = new()
    first = position.to_move
    texts = ("A2-A3-B3", "6 G1..G5/4", "end") if first == 0 else ("A10-A11-B11", "6 G9..G13/4", "end")
    after = do(position, *texts)
    moves = found(after)
    assert moves is not None
    for move in moves:
        after = GAME.apply(after, after.to_move, Move(*move), b"").position
    assert after.winner == 1 - first


def test_a_search_gives_up_when_it_was_told_to() -> None:
    rng = random.Random(3)
    for _ in range(50):
        position = siege(rng, 2, Options())
        tools = tools_of(position)
        load(tools.ground, 0, position)
        tools.conquest.found(0, WIDTH, 5)
        assert tools.conquest.nodes <= 6
