"""Planted leaks are found: what the kit proves of the game's secrets is worth something."""

from typing import Any

import pytest

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import rules
from brettwerk_games.rules.wec.game import WeaponizedChess
from brettwerk_games.rules.wec.options import Dominance, Options
from brettwerk_games.rules.wec.position import Position, View
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.kit import secrets
from tests.brettwerk_games.rules.wec.lookalikes import look_alike
from tests.brettwerk_games.rules.wec.random_games import play


def leaky(change: Any) -> WeaponizedChess:
    game: Any = WeaponizedChess()

    def spoilt(position: Position, seat: int | None) -> View:
        return change(position, view(position, seat))  # type: ignore[no-any-return]

    game.view = spoilt
    return game  # type: ignore[no-any-return]


def all_pieces(position: Position, seen: View) -> View:
    return seen._replace(pieces=position.pieces)


def their_reserves(position: Position, seen: View) -> View:
    return seen._replace(reserves=position.reserves)


def their_turn(position: Position, seen: View) -> View:
    return seen._replace(turn=position.turn._replace(items=(), results=()))


def their_plans(position: Position, seen: View) -> View:
    return seen._replace(idle=any(piece.origin and piece.seat != seen.eye for piece in position.pieces))


def their_number(position: Position, seen: View) -> View:
    return seen._replace(idle=bool(len(position.pieces) % 2))


@pytest.mark.nightly
@pytest.mark.parametrize("change", [their_number, all_pieces, their_reserves, their_turn, their_plans])
def test_a_planted_leak_is_found(change: Any) -> None:
    with pytest.raises(AssertionError):
        secrets.look_alikes_are_shown_the_same(leaky(change))


COMPETITIVE = [Options(competitive=True), Options(competitive=True, dominance=Dominance.STEALTH, stealth_range_detect=False)]


def competitive_look_alikes_are_shown_the_same(game: Any) -> None:
    """In competitive games the strings of Turns are cut for each eye; they and their lengths are the same in look-alikes."""
    for number, options in enumerate(COMPETITIVE):
        for position in list(play(number, options, 40))[30::25]:
            for seat in (0, 1, None):
                here = game.codec.encode(Kind.VIEW, game.view(position, seat))
                for change in range(3):
                    other = look_alike(position, seat, bytes([number, change]) * 16)
                    assert game.codec.encode(Kind.VIEW, game.view(other, seat)) == here


def test_rul_53_cut_histories_tell_nothing_that_is_hidden() -> None:
    competitive_look_alikes_are_shown_the_same(WeaponizedChess())


def strings_in_full(position: Position, seen: View) -> View:
    return seen._replace(history=tuple(line.full for line in position.history))


def lengths_of_strings(position: Position, seen: View) -> View:
    return seen._replace(history=tuple("x" * len(line.full) for line in position.history))


@pytest.mark.nightly
@pytest.mark.parametrize("change", [strings_in_full, lengths_of_strings, their_number])
def test_a_leak_planted_in_a_competitive_game_is_found(change: Any) -> None:
    with pytest.raises(AssertionError):
        competitive_look_alikes_are_shown_the_same(leaky(change))


@pytest.mark.nightly
def test_a_leak_planted_in_refusals_is_found() -> None:
    game: Any = WeaponizedChess()

    def apply(position: Position, seat: int, action: Any, seed: bytes) -> Any:
        seen = {piece.id for piece in view(position, seat).pieces}
        if getattr(action, "place", -1) in {piece.place for piece in position.pieces if piece.id not in seen}:
            raise Illegal("something is in the way", rule="WEC-MOVE-5")
        return rules.apply(position, seat, action, seed)

    game.apply = apply
    with pytest.raises(AssertionError):
        secrets.look_alikes_are_refused_the_same(game)


@pytest.mark.nightly
def test_a_leak_planted_in_events_is_found() -> None:
    game: Any = WeaponizedChess()
    game.show = lambda event, seat: event
    with pytest.raises(AssertionError):
        secrets.events_show_what_views_show(game)


@pytest.mark.nightly
def test_a_leak_planted_in_legal_actions_is_found() -> None:
    game: Any = WeaponizedChess()
    last: list[Position] = []

    def seen(position: Position, seat: int | None) -> View:
        last[:] = [position]
        return view(position, seat)

    def actions(received: View) -> tuple[Any, ...]:
        ids = {piece.id for piece in received.pieces}
        hidden = {piece.place for piece in last[0].pieces if piece.id not in ids}
        return tuple(action for action in rules.actions(received) if getattr(action, "place", -1) not in hidden)

    game.view, game.actions = seen, actions
    with pytest.raises(AssertionError):
        secrets.look_alikes_are_shown_the_same(game)
