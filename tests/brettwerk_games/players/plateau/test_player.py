"""The player of Empire Plateau: whole games, what it sees, and that it thinks the same of the same."""

import math
import random
from dataclasses import replace

import pytest

from brettwerk_games.players.interface import NothingToDo
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.plateau import PlateauPlayer
from brettwerk_games.players.plateau.chances import LOST, chance
from brettwerk_games.players.plateau.kernels.worth import LEARNT, PRESET
from brettwerk_games.players.plateau.turn_search import EFFORTS, WON, Effort, Look
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.options import Fallen, Options, Shape
from brettwerk_games.rules.plateau.position import Position, living
from tests.brettwerk_games.rules.plateau.boards import begun, new
from tests.brettwerk_games.rules.plateau.test_reach import TABLES, scattered
from tests.night import at_night, by_day
from tests.services.ai.matches import play, score


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, Options()),
        at_night(2, Options(shape=Shape.FLAT)),
        at_night(3, Options(fallen=Fallen.REMOVE)),
        at_night(4, Options()),
        at_night(4, Options(alliance=True)),
    ],
)
def test_it_plays_whole_games_with_any_number_of_seats(seats: int, options: Options) -> None:
    players = [PlateauPlayer(GAME, 1)] * seats
    assert GAME.outcome(play(GAME, new(seats, options), players, seed=seats)) is not None


@pytest.mark.parametrize("number", by_day(range(len(TABLES)), 0, 7))
def test_it_finds_an_action_in_any_position(number: int) -> None:
    seats, options = TABLES[number]
    rng = random.Random(number)
    for _ in range(8):
        position = scattered(rng, seats, options)
        armies = [mine if rng.random() < 0.5 else thin(rng, mine) for mine in position.armies]
        start = position._replace(armies=tuple(armies))
        if not all(any(start.armies[seat]) for seat in living(start)):
            continue
        position = GAME.new(options, seats, start, bytes(32)).position
        for _ in range(3):
            if position.end is not None:
                break
            view = GAME.view(position, position.to_move)
            action = PlateauPlayer(GAME, 2).think(view, math.inf, rng.getrandbits(60)).action
            assert action in GAME.actions(view)
            position = GAME.apply(position, position.to_move, action, b"").position


def thin(rng: random.Random, armies: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return what is left of armies when only one or two of a kind remain."""
    twos, fours, sixes, emblem = armies
    kept = rng.choice(((twos & -twos, 0, 0, emblem), (twos & -twos, fours & -fours, 0, 0), (0, fours & -fours, sixes, 0)))
    return kept if any(kept) else armies


@pytest.mark.parametrize("strength", by_day(range(1, 5), 1, 2))
def test_the_same_view_and_seed_give_the_same_thought(strength: int) -> None:
    view = GAME.view(new(), new().to_move)
    for seed in (1, 2) if strength < 4 else (1,):
        thoughts = {PlateauPlayer(GAME, strength).think(view, math.inf, seed) for _ in range(2)}
        assert len(thoughts) == 1


def test_a_review_is_in_order_and_begins_with_the_move() -> None:
    view = GAME.view(new(), new().to_move)
    player = PlateauPlayer(GAME, 3)
    advice = player.review(view, math.inf, 5)
    chances = [one.win_chance for one in advice]
    assert len(advice) > 3
    assert chances == sorted(chances, reverse=True)
    assert {one.action for one in advice} <= set(GAME.actions(view))
    assert advice[0].action == player.think(view, math.inf, 5).action


def test_after_the_deadline_it_still_answers() -> None:
    view = GAME.view(new(), new().to_move)
    thought = PlateauPlayer(GAME, 3).think(view, -math.inf, 1)
    assert thought.action in GAME.actions(view)


def test_the_waiting_seat_has_no_thought() -> None:
    position = new()
    with pytest.raises(NothingToDo):
        PlateauPlayer(GAME, 1).think(GAME.view(position, 1 - position.to_move), math.inf, 1)


def turn(position: Position, strength: int) -> Position:
    """Return the position after a turn of the player."""
    seat = position.to_move
    while position.end is None and position.to_move == seat:
        thought = PlateauPlayer(GAME, strength).think(GAME.view(position, seat), math.inf, 1)
        position = GAME.apply(position, seat, thought.action, b"").position
    return position


@pytest.mark.parametrize("strength", by_day(range(2, 5), 2))
def test_it_parries_what_would_conquer_its_base(strength: int) -> None:
    """The enemy's six stands two steps before the base, and a six can take it."""
    position = begun("2@B2 4@C3 6@D16 2@F3", "6@A15 2@K9 2@K10 2@B9 2@A8 2@A10")
    after = turn(position, strength)
    while after.end is None and after.to_move == 1:
        after = turn(after, 3)
    assert after.end is None


@pytest.mark.parametrize("strength", [1, 2, 3, 4])
def test_it_takes_what_hangs(strength: int) -> None:
    position = begun("E@A1 2@A2 2@A16 4@B1 6@F5", "E@A9 2@A8 2@A10 4@B9 6@H7 2@K3")
    after = turn(position, strength)
    assert sum(map(int.bit_count, after.armies[1])) < 6


@pytest.mark.nightly
def test_levels_beat_random_play_and_each_other() -> None:
    assert score(GAME, Options(), PlateauPlayer(GAME, 1), RandomPlayer(GAME), games=6, seed=2) == 1
    assert score(GAME, Options(), PlateauPlayer(GAME, 2), PlateauPlayer(GAME, 1), games=16, seed=2) > 0.5


def test_each_level_has_an_effort_of_its_own_and_the_last_is_the_greatest() -> None:
    assert [level.id for level in GAME.facts.levels] == ["easy", "normal", "strong", "expert"]
    assert [level.strength for level in GAME.facts.levels] == list(range(1, len(EFFORTS) + 1))
    assert [effort.keep for effort in EFFORTS] == sorted(effort.keep for effort in EFFORTS)


@pytest.mark.nightly
def test_weights_learnt_from_games_beat_those_that_were_guessed() -> None:
    quick = Effort(((2, 6), (4, 10)), 10, (Look(10, (1, 2, 6, 2)),), (), 4.0)
    learnt, guessed = (PlateauPlayer(GAME, 1, effort=replace(quick, weights=weights)) for weights in (LEARNT, PRESET))
    assert score(GAME, Options(), learnt, guessed, games=8, seed=3) > 0.5


def test_a_worth_of_nothing_is_an_even_chance_among_those_who_are_left() -> None:
    assert chance(new(), 0) == pytest.approx(0.5)
    assert chance(new(4), 0) == pytest.approx(0.25)
    assert chance(new(4)._replace(fallen=(1, 2)), 0) == pytest.approx(0.5)
    assert chance(new(4, Options(alliance=True)), 0) == pytest.approx(0.5)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_rise_with_worth_and_only_a_win_in_the_running_turn_is_sure(seats: int) -> None:
    worths = [-WON + 1000, -5000, -800, -200, -50, 0, 50, 200, 800, 5000, WON - 1000]
    chances = [chance(new(seats), worth) for worth in worths]
    assert chances == sorted(chances)
    assert len(set(chances[2:-2])) == len(chances[2:-2])
    assert chances[0] == LOST
    assert chances[1] > LOST
    assert chances[-1] < 0.95
    assert chance(new(seats), WON) == 1
