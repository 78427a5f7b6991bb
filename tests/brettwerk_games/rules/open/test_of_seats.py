"""A game of a chosen number of seats, made of a module: who is out, who comes next, and which positions cannot be."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.api import (
    GameOfSeats,
    Illegal,
    Kind,
    Malformed,
    NoOptions,
    OpenEnding,
    Resign,
    SeatsPosition,
    View,
    game_of_two,
)
from brettwerk_games.rules.facts import PLAIN_SEATS, seats_of
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.open.texts import read_open_facts
from tests.brettwerk_games.packages.packages import packaged
from tests.brettwerk_games.rules.kit.options import presets

SEED = bytes(32)


@pytest.fixture(scope="module")
def dice() -> AnyGame:
    return packaged("liars_dice")


def begun(game: AnyGame, seats: int) -> Any:
    return game.new(presets(game, seats), seats, None, SEED).position


@given(st.integers(2, 6), st.data())
def test_the_next_seat_is_the_first_one_after_it_that_is_not_out(seats: int, data: st.DataObject) -> None:
    out = data.draw(st.lists(st.integers(0, seats - 1), unique=True, max_size=seats - 1))
    to_move = data.draw(st.integers(0, seats - 1))
    position = SeatsPosition(seats=seats, out=tuple(out), to_move=to_move)
    ahead = [seat % seats for seat in range(to_move + 1, to_move + seats) if seat % seats not in out]
    assert position.next_seat() == [*ahead, to_move][0]
    assert position.previous_seat() == [to_move, *ahead][-1]
    assert set(position.playing) | set(out) == set(range(seats))


@given(st.permutations(range(4)))
def test_seats_that_give_up_have_places_in_the_order_of_that(order: list[int]) -> None:
    game = packaged("liars_dice")
    position = begun(game, 4)
    for seat in order[:-1]:
        position = game.system_action(position, Resign(seat), SEED).position
    outcome = game.outcome(position)
    assert outcome is not None
    assert [outcome.places[seat] for seat in order] == [4, 3, 2, 1]
    assert (outcome.winners, outcome.reason.key) == ((order[-1],), f"reason.last.{order[-1]}")


class Ludo(GameOfSeats[NoOptions, SeatsPosition, int]):
    """A game in which each action puts out the seats that it says."""

    def __init__(self, *out: int) -> None:
        self.out = out

    def play(self, position: SeatsPosition, action: int, seed: bytes) -> SeatsPosition:
        return replace(position, out=self.out)


@pytest.mark.parametrize(
    ("out", "to_move", "winner"),
    [((), 1, None), ((2,), 1, None), ((1,), 2, None), ((2, 1), 3, None), ((1, 2, 3), 0, 0), ((0, 1, 3), 2, 2)],
)
def test_the_turn_passes_over_seats_that_are_out_and_the_last_one_has_won(
    monkeypatch: pytest.MonkeyPatch, out: tuple[int, ...], to_move: int, winner: int | None
) -> None:
    monkeypatch.setattr(Ludo, "__abstractmethods__", frozenset())
    ludo: Any = Ludo
    after = ludo(*out).position_after(SeatsPosition(seats=4, to_move=1), 1, 0, SEED)
    assert after.winner == winner
    assert after.end == ("" if winner is None else "last")
    if winner is None:
        assert after.to_move == to_move


def test_a_seat_gives_up_once(dice: AnyGame) -> None:
    position = dice.system_action(begun(dice, 3), Resign(1), SEED).position
    with pytest.raises(Illegal) as refusal:
        dice.system_action(position, Resign(1), SEED)
    assert refusal.value.rule == "LD-ANY-RESIGN"


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("seats", {"seats": 1, "out": ()}),
        ("out", {"out": (1, 1)}),
        ("out", {"out": (3,)}),
        ("out", {"out": (0, 1, 2)}),
        ("to_move", {"to_move": 1, "out": (1,)}),
        ("to_move", {"to_move": 3}),
        ("ending", {"ending": OpenEnding("last", 1), "out": (1, 2)}),
        ("ending", {"ending": OpenEnding("four", 0), "out": (1, 2)}),
        ("hands", {"hands": ()}),
        ("hands", {"seats": 2}),
    ],
)
def test_a_position_that_cannot_be_is_malformed(dice: AnyGame, field: str, changed: dict[str, Any]) -> None:
    data = dice.codec.encode(Kind.POSITION, replace(begun(dice, 3), **changed))
    with pytest.raises(Malformed) as refusal:
        dice.codec.decode(Kind.POSITION, data)
    assert refusal.value.field == field


def test_a_view_is_of_a_seat_that_plays(dice: AnyGame) -> None:
    position = begun(dice, 2)
    assert dice.codec.decode(Kind.VIEW, dice.codec.encode(Kind.VIEW, View(position, 1))).seat == 1
    with pytest.raises(Malformed):
        dice.codec.decode(Kind.VIEW, dice.codec.encode(Kind.VIEW, View(position, 2)))


def test_a_number_of_seats_stands_for_plain_ones() -> None:
    assert seats_of({}) == PLAIN_SEATS[:2]
    assert seats_of({"seats": 3}) == PLAIN_SEATS[:3]
    assert seats_of({"seats": [{"colour": "red"}]})[0].colour == "red"
    for number in (0, 7):
        with pytest.raises(ValueError, match="1 to 6"):
            seats_of({"seats": number})


def test_seats_without_names_are_called_by_their_colours_and_no_others(dice: AnyGame) -> None:
    for language, names in (("en", ["White", "Black", "Red", "Blue"]), ("de", ["Weiß", "Schwarz", "Rot", "Blau"])):
        catalogue = dice.facts.catalogue(language)
        assert [catalogue[f"seat.{seat}.name"] for seat in range(4)] == names
        assert "seat.4.name" not in catalogue
        assert names[3] in catalogue["reason.last.3"]


def test_a_sentence_about_the_loser_is_for_games_of_two_only(dice: AnyGame, tmp_path: Path) -> None:
    assert "reason.resigned.0" not in dice.facts.catalogue("en")
    folder = shutil.copytree(dice.facts.folder, tmp_path / "liars_dice")
    facts = json.loads((folder / "facts.json").read_text())
    (folder / "facts.json").write_text(json.dumps({**facts, "seats": 2}))
    assert read_open_facts(folder).catalogue("en")["reason.resigned.0"] == "White wins: Black has resigned."


def test_a_module_without_endings_or_a_required_function_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = packaged("breakthrough")
    breakthrough = sys.modules[game.play.__module__]
    for missing, error in (("ENDS", AttributeError), ("play", TypeError)):
        module = ModuleType("bare_game")
        vars(module).update({key: value for key, value in vars(breakthrough).items() if key not in (missing, "__name__")})
        for value in vars(module).values():
            if getattr(value, "__module__", "") == breakthrough.__name__ and callable(value) and not isinstance(value, type):
                monkeypatch.setattr(value, "__module__", "bare_game")
        monkeypatch.setitem(sys.modules, "bare_game", module)
        with pytest.raises(error, match=missing):
            game_of_two("bare_game")
