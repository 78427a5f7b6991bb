"""The puzzles that come with the games hold under the rules as they are now."""

from pathlib import Path

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

import brettwerk_games.rules
from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.registry import games
from services.ai.puzzles.__main__ import read
from services.ai.puzzles.criteria import CLEARLY_LESS, KEPT, MIN_ACTIONS, max_right
from services.ai.puzzles.judgement import view_seat
from services.players.puzzles.puzzles import shown_view
from tests.brettwerk_games.rules.plateau.counts import without_counts

GAMES = sorted(path.parent.name for path in Path(brettwerk_games.rules.__path__[0]).glob("*/puzzles.bin"))


def every_puzzle(game: str) -> list[puzzles_made_pb2.MadePuzzle]:
    return list(read(Path(brettwerk_games.rules.__path__[0]) / game / "puzzles.bin").puzzles)


def test_every_game_comes_with_puzzles():
    assert set(GAMES) == set(games())


@pytest.mark.parametrize("game", GAMES)
def test_there_are_enough_for_some_days(game: str):
    assert len(every_puzzle(game)) >= 5


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_those_that_the_rules_list_and_the_order_is_theirs(game: str):
    rules = games()[game]
    for puzzle in every_puzzle(game):
        assert rules.facts.plays(puzzle.rules_version)
        view = rules.codec.decode(Kind.VIEW, puzzle.view.value)
        # As players are shown it: puzzles keep their bytes, and so their ids, when a view says the same in one more field.
        shown = AnyMessage(type_url=puzzle.view.type_url, value=rules.codec.encode(Kind.VIEW, view))
        assert without_counts(shown) == without_counts(shown_view(game, puzzle.view))
        listed = [rules.codec.encode(Kind.ACTION, action) for action in rules.actions(view)]
        assert sorted(puzzle.order) == list(range(len(listed)))
        assert [one.action.action.value for one in puzzle.actions] == [listed[number] for number in puzzle.order]
        assert [one.action.notation for one in puzzle.actions] == [
            rules.write(view, rules.codec.decode(Kind.ACTION, one.action.action.value)) for one in puzzle.actions
        ]


@pytest.mark.parametrize("game", GAMES)
def test_the_seat_is_to_act_and_its_view_is_what_it_may_know(game: str):
    rules = games()[game]
    for puzzle in every_puzzle(game):
        view = rules.codec.decode(Kind.VIEW, puzzle.view.value)
        assert view_seat(rules, view) == puzzle.seat
        position = rules.sample(view, bytes(SEED_BYTES))
        assert rules.seats(position) == puzzle.seats
        assert rules.view(position, puzzle.seat) == view


@pytest.mark.parametrize("game", GAMES)
def test_few_actions_are_right_and_all_others_clearly_are_not(game: str):
    for puzzle in every_puzzle(game):
        kept = [one.kept for one in puzzle.actions]
        assert len(kept) >= MIN_ACTIONS
        assert kept[0] == 1.0
        assert kept == sorted(kept, reverse=True)
        right = sum(share >= KEPT for share in kept)
        assert 1 <= right <= max_right(len(kept))
        assert right < len(kept)
        assert kept[right] <= CLEARLY_LESS


@pytest.mark.parametrize("game", GAMES)
def test_no_puzzle_comes_twice(game: str):
    views = [puzzle.view.value for puzzle in every_puzzle(game)]
    assert len(set(views)) == len(views)
