"""Planted leaks are found: what the kit proves of the game's secrets is worth something."""

from typing import Any

import pytest

from services.games.wec.game import WeaponizedChess
from services.games.wec.position import Position, View
from services.games.wec.view import view
from tests.services.games.kit import secrets


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


@pytest.mark.parametrize("change", [all_pieces, their_reserves, their_turn, their_plans])
def test_a_planted_leak_is_found(change: Any) -> None:
    with pytest.raises(AssertionError):
        secrets.look_alikes_are_told_the_same(leaky(change))
