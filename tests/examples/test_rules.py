"""The examples keep their rules, those of OpenSpiel where it has the game and else of their pages, and are short."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from brettwerk_games.api import Illegal, Kind, Malformed, Resign
from brettwerk_games.rules.interface import AnyGame
from tests.brettwerk_games.packages.packages import packaged
from tests.brettwerk_games.rules.conformance import CHECKS, failed
from tests.examples.installing import ROOT, environment
from tests.examples.spiel import SPIEL, assert_equal
from tests.night import by_day, examples

SEED = bytes(32)
ALONE = "connect_four"
"""A game that has its process to itself: other tests load that of 1.0, which has the same name."""


@pytest.mark.parametrize("name", [each for each in SPIEL if each != ALONE])
def test_they_are_those_of_openspiel(name: str) -> None:
    games = examples(100) if name == "breakthrough" else 4
    assert assert_equal(name, packaged(name), games) > 25 * games


def test_those_of_connect_four_are_too() -> None:
    command = [sys.executable, "-m", "tests.examples.spiel", ALONE, "20"]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=100, check=False)
    if "OpenSpiel is not installed" in done.stderr:
        pytest.skip("OpenSpiel is not installed (pip install open-spiel)")
    assert done.returncode == 0, done.stderr


SIZES = """
from dataclasses import replace
from tests.brettwerk_games.packages.packages import packaged
game = packaged("connect_four")
from brettwerk_games.api import Kind, Malformed
from connect_four import First, Options
for options in (Options(), Options(columns=10, rows=4, first=First.YELLOW)):
    position = game.new(options, 2, None, bytes(32)).position
    view = game.view(position, position.to_move)
    print(*game.to_act(position), len(game.actions(view)), game.scene(view).rows)
    try:
        game.codec.decode(Kind.POSITION, game.codec.encode(Kind.POSITION, replace(position, squares=position.squares[1:])))
    except Malformed as refusal:
        print(refusal.field)
"""


def test_connect_four_has_the_board_and_the_player_that_its_options_say_and_no_other() -> None:
    done = subprocess.run([sys.executable, "-c", SIZES], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["0 7 6", "squares", "1 10 4", "squares"]


@pytest.fixture
def dice() -> AnyGame:
    return packaged("liars_dice")


def table(dice: AnyGame, *hands: tuple[int, ...], **others: Any) -> Any:
    """Return a position of liar's dice with these hands, in which the first seat is to move."""
    from liars_dice import Hand, Options

    begun = dice.new(Options(), len(hands), None, SEED).position
    return replace(begun, hands=tuple(map(Hand, hands)), **others)


def said(dice: AnyGame, position: Any, *texts: str, seed: bytes = SEED) -> Any:
    """Return the position after bids and calls."""
    for text in texts:
        (seat,) = dice.to_act(position)
        position = dice.apply(position, seat, dice.read(dice.view(position, seat), text), seed).position
    return position


def counts(position: Any) -> list[int]:
    return [len(hand.faces) for hand in position.hands]


def test_each_player_begins_with_as_many_dice_as_the_options_say(dice: AnyGame) -> None:
    from liars_dice import Options

    for number, seats in ((5, 2), (3, 4)):
        position = dice.new(Options(dice=number), seats, None, SEED).position
        assert [len(hand.faces) for hand in position.hands] == [number] * seats
        assert {face for hand in position.hands for face in hand.faces} <= set(range(1, 7))


def test_dice_are_rolled_anew_in_each_round_and_by_nothing_but_its_seed(dice: AnyGame) -> None:
    begun = said(dice, table(dice, (1, 2, 3), (4, 5, 6)), "6x6")
    rolled = {said(dice, begun, "liar", seed=bytes([number]) * 32).hands for number in range(20)}
    assert len(rolled) > 15
    faces = [face for hands in rolled for hand in hands for face in hand.faces]
    assert set(faces) == set(range(1, 7))


@pytest.mark.parametrize(
    ("bid", "loser"), [("2x6", 1), ("1x6", 0), ("2x1", 0), ("3x1", 1)], ids=["a lie", "true", "just true", "one too many"]
)
def test_a_player_who_is_wrong_loses_a_die_and_begins_the_next_round(dice: AnyGame, bid: str, loser: int) -> None:
    """The second seat bids, and the third one calls."""
    after = said(dice, table(dice, (1, 4, 6), (1, 2), (3,), to_move=1), bid, "liar")
    loses = 1 if loser else 2
    assert counts(after) == [count - (seat == loses) for seat, count in enumerate((3, 2, 1))]
    assert after.to_move == (1 if loses == 1 else 0)
    assert [hand.faces for hand in after.shown] == [(1, 4, 6), (1, 2), (3,)]
    assert (after.bid.number, after.bid.face) == (0, 0)


def test_a_player_who_loses_the_last_die_is_out_and_the_next_player_begins(dice: AnyGame) -> None:
    after = said(dice, table(dice, (1, 1), (2,), (3, 3)), "1x1", "3x6", "liar")
    assert (after.out, after.to_move, counts(after), dice.outcome(after)) == ((1,), 2, [2, 0, 2], None)
    assert said(dice, after, "1x1").to_move == 0


def test_the_last_one_with_dice_has_won_and_the_others_stand_by_when_they_went_out(dice: AnyGame) -> None:
    last = said(dice, table(dice, (1,), (2,), (), out=(2,)), "2x6", "liar")
    outcome = dice.outcome(last)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.rule) == ((1,), (2, 1, 3), "LD-END-1")


@pytest.mark.parametrize(("bid", "higher"), [("2x3", "2x4"), ("2x3", "3x1"), ("2x6", "3x1")])
def test_a_bid_has_more_dice_or_a_higher_face(dice: AnyGame, bid: str, higher: str) -> None:
    position = table(dice, (1, 2), (3, 4))
    said(dice, position, bid, higher)
    for lower in (bid, "1x6", "2x2"):
        with pytest.raises(Illegal):
            said(dice, position, bid, lower)


def test_no_bid_has_more_dice_than_there_are_and_nobody_calls_before_one(dice: AnyGame) -> None:
    position = table(dice, (1, 2), (3,))
    actions = dice.actions(dice.view(position, 0))
    assert {action.number for action in actions} == {1, 2, 3}
    assert len(actions) == 3 * 6
    assert len(dice.actions(dice.view(said(dice, position, "3x6"), 1))) == 1


@pytest.mark.parametrize(("wild", "loser"), [(False, 0), (True, 1)])
def test_ones_count_as_every_face_where_they_are_wild(dice: AnyGame, wild: bool, loser: int) -> None:
    after = said(dice, table(dice, (1, 1), (5, 2), wild=wild), "3x5", "liar")
    assert counts(after) == [2 - (seat == loser) for seat in (0, 1)]


def test_the_dice_of_who_gives_up_are_gone_and_a_new_round_begins(dice: AnyGame) -> None:
    position = said(dice, table(dice, (1, 1), (2, 2), (3, 3)), "1x1")
    steps = [dice.system_action(position, Resign(1), bytes([number]) * 32).position for number in range(20)]
    after = steps[0]
    assert (counts(after), after.to_move, after.out, after.bid.number) == ([2, 0, 2], 2, (1,), 0)
    assert len({step.hands for step in steps}) > 10
    won = dice.outcome(dice.system_action(after, Resign(2), SEED).position)
    assert won is not None
    assert (won.winners, won.places) == ((0,), (1, 3, 2))


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_players_know_no_dice_of_others_but_those_that_were_shown(dice: AnyGame, seat: int | None) -> None:
    after = said(dice, table(dice, (1, 1, 1), (2, 2), (3, 3, 3)), "1x6", "liar")
    seen = dice.view(after, seat).position
    assert [hand.faces for hand in seen.hands] == [
        hand.faces if own == seat else (0,) * len(hand.faces) for own, hand in enumerate(after.hands)
    ]
    assert [hand.faces for hand in seen.shown] == [(1, 1, 1), (2, 2), (3, 3, 3)]
    assert dice.codec.decode(Kind.POSITION, dice.codec.encode(Kind.POSITION, after)) == after


def test_a_position_with_other_hands_than_seats_is_malformed(dice: AnyGame) -> None:
    data = dice.codec.encode(Kind.POSITION, table(dice, (1, 1), (2, 2), seats=3))
    with pytest.raises(Malformed) as refusal:
        dice.codec.decode(Kind.POSITION, data)
    assert refusal.value.field == "hands"


def test_a_call_cannot_be_taken_back_but_a_bid_can(dice: AnyGame) -> None:
    from liars_dice import Action

    position = table(dice, (1, 1), (2, 2))
    bid = dice.apply(position, 0, Action(1, 6), SEED)
    assert (bid.reveals, dice.apply(bid.position, 1, Action(), SEED).reveals) == (False, True)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_call_is_told_with_all_dice_that_it_has_shown_and_its_loser(dice: AnyGame, seat: int | None) -> None:
    begun = said(dice, table(dice, (1, 4, 6), (1, 2)), "2x6")
    step = dice.apply(begun, 1, dice.read(dice.view(begun, 1), "liar"), SEED)
    narration = dice.tell(dice.view(step.position, seat), dice.show(step.events[0], seat))
    assert narration is not None
    assert (narration.text.key, [(thing.mark, thing.owner) for thing in narration.things]) == (
        "lost.0",
        [("1", 0), ("4", 0), ("6", 0), ("1", 1), ("2", 1)],
    )
    assert dice.tell(dice.view(begun, seat), step.events[0]) is None


def test_a_bid_is_a_touch_of_a_number_and_of_a_face_and_a_call_a_button_in_words(dice: AnyGame) -> None:
    view = dice.view(said(dice, table(dice, (1, 4, 6), (1, 2)), "2x6"), 1)
    names = {place.name for place in dice.scene(view).places}
    choices = {dice.write(view, action): dice.choice(view, action) for action in dice.actions(view)}
    assert choices["3x5"].places == ("3", "face 5")
    assert (choices["liar"].places, choices["liar"].label.key) == ((), "choice.liar")
    assert {name for choice in choices.values() for name in choice.places} <= names


@pytest.mark.parametrize("name", by_day(["breakthrough", "liars_dice", "hex_seven", "mau_mau"], "breakthrough", "liars_dice"))
def test_an_example_passes_the_conformance_kit(name: str) -> None:
    assert failed(packaged(name), list(CHECKS)) == []


PAGE = ROOT / "docs" / "write-a-game.md"
LINES = {"breakthrough": 90, "liars_dice": 220, "connect_four": 200}


@pytest.mark.parametrize("name", LINES)
def test_an_example_is_short_with_all_of_its_files(name: str) -> None:
    kinds = (".toml", ".py", ".proto", ".md", ".json")
    own = [path for path in (ROOT / "examples" / name).rglob("*") if path.suffix in kinds and "build" not in path.parts]
    assert {path.name for path in own} >= {"pyproject.toml", "__init__.py", "en.md", "de.md", "facts.json"}
    lines = sum(len(path.read_text().splitlines()) for path in own)
    assert lines <= LINES[name]
    row = next(row for row in PAGE.read_text().splitlines() if row.startswith(f"| [`examples/{name}`]"))
    assert row.endswith(f"| {lines} |"), f"{PAGE.name} says otherwise than that {name} has {lines} lines"
