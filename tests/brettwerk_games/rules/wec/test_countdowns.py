"""Countdowns in own Turns, as views and boards show them (WEC-RUL-1, WEC-UI-15)."""

import pytest

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.countdowns import own_turns, stunned_until, turns_stunned
from tests.brettwerk_games.rules.wec.boards import Table


@pytest.mark.parametrize(("ply", "turns"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (9, 0)])
def test_rul_1_a_weapon_counts_the_turns_of_its_owner(ply: int, turns: int) -> None:
    """Fired in Turn 1 with a rate of 2 it can be fired again in Turn 5."""
    assert own_turns(ply, 5, 0) == turns


@pytest.mark.parametrize(("ply", "turns"), [(3, 3), (4, 2), (5, 2), (6, 1), (7, 1), (8, 0), (9, 0)])
def test_rul_1_a_stun_counts_the_turns_that_it_still_costs(ply: int, turns: int) -> None:
    """Black's piece is stunned in White's Turn 2 for 3 Turns: it loses Turns 3, 5 and 7."""
    assert turns_stunned(ply, 2 + 2 * 3, 0) == turns


@pytest.mark.parametrize("ply", [1, 2])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("turns", range(10))
def test_a_stun_told_in_turns_lasts_so_many(ply: int, seat: int, turns: int) -> None:
    assert turns_stunned(ply, stunned_until(ply, turns, seat), seat) == turns


def test_views_tell_countdowns_and_places_so_that_nobody_has_to_know_the_rules() -> None:
    table = Table("B STP[RL](4,4)", "W RP(4,8)").fire("STP", "(4,4)", "ST", (0, 1)).fire("STP", "(4,4)", "RL", (1, 0))
    table.move("DO", "(1,8)", "(1,7)").end()
    seen = pb.WecView.FromString(GAME.codec.encode(Kind.VIEW, table.view(1)))
    (shooter,) = (piece for piece in seen.pieces if piece.kind == pb.WEC_KIND_STUN_PAWN)
    (struck,) = (piece for piece in seen.pieces if piece.kind == pb.WEC_KIND_ROCKET_PAWN)
    assert (shooter.turns_first, shooter.articles[0].turns) == (2, 4)
    assert struck.turns_stunned == table.position.options.stun_duration
    assert seen.projectiles[0].place == seen.projectiles[0].square
    assert seen.active == 1


def test_an_editor_tells_a_stun_in_own_turns() -> None:
    message = pb.WecPosition.FromString(GAME.codec.encode(Kind.POSITION, Table("B FP(4,4)").position))
    for piece in message.pieces:
        piece.turns_stunned = 2
    position = GAME.codec.decode(Kind.POSITION, message.SerializeToString())
    assert {piece.seat: piece.stunned for piece in position.pieces} == {0: 3, 1: 4}
    message.pieces[0].turns_stunned = 10
    with pytest.raises(Malformed):
        GAME.codec.decode(Kind.POSITION, message.SerializeToString())
