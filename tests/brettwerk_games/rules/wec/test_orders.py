"""The orders of Weaponized Chess: they fire at what is seen, and know nothing of what is not."""

import json
from typing import Any

from brettwerk_games.rules.orders import IMPOSSIBLE, Doing, Order, completed_order, wait
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import EndTurn, Fire, Move
from brettwerk_games.rules.wec.kinds import Kind
from brettwerk_games.rules.wec.orders import next_action
from tests.brettwerk_games.rules.wec.boards import at, board

LAUNCHER = "B FP(5,5)"


def order(of: str, **values: int | tuple[int, ...]) -> Order:
    given = {key: value if isinstance(value, tuple) else (value,) for key, value in values.items()}
    return completed_order(Order(of, given), GAME.facts.orders)


def doing(given: Order, *pieces: str, seat: int = 0, **options: Any) -> Doing:
    return next_action(given, GAME.view(board(*pieces, **options), seat))


def test_kinds_are_listed_in_the_order_of_their_numbers() -> None:
    stated = json.loads((GAME.facts.folder / "facts.json").read_text())["orders"][0]["fields"][0]["choices"]
    assert stated == ["any", *(kind.name.lower() for kind in Kind)]


def test_it_fires_at_what_is_seen_where_a_weapon_hits_it() -> None:
    fire = order("fire")
    found = doing(fire, LAUNCHER, "W TA<(5,6)")
    assert isinstance(found.action, Fire)
    assert (found.left, found.done) == (None, True)
    again = order("fire", again=1)
    assert doing(again, LAUNCHER, "W TA<(5,6)").left == again
    assert doing(fire, LAUNCHER) == wait(fire)


def test_kind_place_and_launcher_are_those_that_are_wanted() -> None:
    pieces = (LAUNCHER, "W TA<(5,6)")
    panzer, king = int(Kind.PANZER) + 1, int(Kind.KING) + 1
    assert doing(order("fire", kind=panzer), *pieces).action is not None
    assert doing(order("fire", kind=king), *pieces).action is None
    assert doing(order("fire", places=(at("(5,6)"), at("(9,9)"))), *pieces).action is not None
    assert doing(order("fire", places=(at("(9,9)"),)), *pieces).action is None
    assert doing(order("fire", source=at("(5,5)")), *pieces).action is not None
    assert doing(order("fire", source=at("(6,5)")), *pieces) == IMPOSSIBLE


def test_no_shot_hits_an_own_piece() -> None:
    fire = order("fire", source=at("(5,5)"))
    for other in ("B TA<(5,6)", "B TA<(5,7)"):
        found = doing(fire, LAUNCHER, other, "W TA<(5,8)", flame_range=2)
        assert found == wait(fire)


def test_a_hidden_piece_is_hidden_from_orders() -> None:
    fire, hidden = order("fire"), "W AAA(5,6)"
    seen = doing(fire, LAUNCHER, hidden, stealth_invisible=False)
    unseen = doing(fire, LAUNCHER, hidden, stealth_invisible=True)
    assert seen.action is not None
    assert unseen == wait(fire)


def test_a_piece_is_taken_back_where_it_is_seen() -> None:
    recapture = order("recapture", place=at("(5,6)"))
    found = doing(recapture, "B TA>(4,4)", "W TA<(5,6)", "B Q(5,5)")
    assert isinstance(found.action, Move)
    assert found.action.place == at("(5,6)")
    assert found.left is None
    assert doing(recapture, "B Q(5,5)") == wait(recapture)


def test_the_turn_ends_where_it_may() -> None:
    end = order("end_turn")
    assert doing(end, LAUNCHER) == wait(end)
    assert EndTurn() not in GAME.actions(GAME.view(board(LAUNCHER), 0))
