"""First positions: edited boards, playing on from a game, what time does, and how a game is shown."""

import pytest

from brettwerk_games.rules.refusals import Illegal, Malformed
from brettwerk_games.rules.wec import GAME, edited_start, rules
from brettwerk_games.rules.wec.actions import EndTurn
from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import Carried
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec.boards import ROCKET, SEED, Table, board, id_of, piece
from tests.brettwerk_games.rules.wec.random_games import play

FLAME = Carried(Article.FLAME)


def fault(position: Position) -> str:
    with pytest.raises(Illegal) as refusal:
        new(position.options, 2, position, SEED)
    assert refusal.value.rule == "WEC-RUL-65"
    return refusal.value.details.get("reason", refusal.value.message)


def test_an_edited_board_gets_its_ids_in_order() -> None:
    start = new(Options(), 2, board("B FP(5,5)", "B DS(1,1)", "W FP(6,6)"), SEED).position
    assert start.edited
    assert [(id_of(p.id), p.kind.name) for p in start.pieces if p.seat == 0] == [
        ("b1", "DESTROYER"),
        ("b2", "DOZER"),
        ("b3", "KING"),
        ("b4", "FLAME_PAWN"),
    ]
    assert [id_of(p.id) for p in start.pieces if p.seat == 1] == ["w1", "w2", "w3"]


def test_an_edited_board_may_not_break_the_limits_of_the_game() -> None:
    good = board("B FP(3,3)", "B TA>(4,4)")
    first = good.pieces[0]
    mixed = (*good.pieces[:-1], piece("W DS(3,3)", 1009))
    assert "share" in fault(good._replace(pieces=mixed))
    three = tuple(p._replace(place=3) for p in good.pieces)
    assert "more than two pieces" in fault(good._replace(pieces=three))
    heavy = first._replace(articles=(FLAME, FLAME))
    assert "carries" in fault(good._replace(pieces=(heavy, *good.pieces[1:])))
    assert "stun" in fault(good._replace(pieces=(first._replace(stunned=99), *good.pieces[1:])))
    assert "countdown" in fault(good._replace(pieces=(first._replace(ready=(99, 0)), *good.pieces[1:])))
    assert "origin" in fault(good._replace(pieces=(first._replace(origin=True), *good.pieces[1:])))
    assert "ended" in fault(good._replace(end=End.AGREED))
    many = ((FLAME, FLAME),) * 100
    loaded = tuple(p._replace(articles=(FLAME,)) for p in good.pieces)
    assert "200" in fault(good._replace(ground=many, pieces=loaded))
    rockets = board(rockets=[(0, ROCKET, "(5,5)", (1, 0), 1)] * 41)
    assert "projectiles" in fault(rockets)


def test_a_board_may_lack_a_primary_and_have_stuns_longer_than_the_options_with_a_warning() -> None:
    good = board("B FP(3,3)", "B TA>(4,4)")
    bare = good._replace(pieces=tuple(p for p in good.pieces if not (p.seat == 1 and p.kind == Kind.KING)))
    assert new(Options(), 2, bare, SEED).position.end == End.ON
    assert edited_start.warnings(bare, Options()) == ("no_primary.1",)
    asleep = good._replace(pieces=(good.pieces[0]._replace(stunned=19), *good.pieces[1:]))
    assert new(Options(), 2, asleep, SEED).position.pieces[0].kind
    assert edited_start.warnings(asleep, Options()) == ("long_countdowns",)


def test_warnings_tell_of_a_side_that_cannot_move() -> None:
    stuck = board("B FP(3,3)")
    stunned = tuple(p._replace(stunned=3) if p.seat == 1 else p for p in stuck.pieces)
    assert edited_start.warnings(stuck._replace(pieces=stunned), Options()) == ("stuck.1",)
    assert edited_start.warnings(stuck, Options()) == ()


def test_play_goes_on_from_a_position_of_a_game() -> None:
    def calm(p: Position) -> bool:
        return p.end == End.ON and not (p.turn.items or any(q.transit for q in p.pieces) or any(q.homing for q in p.projectiles))

    position = next(p for p in reversed(list(play(11, Options(), 40))) if calm(p))
    start = new(Options(), 2, position, SEED).position
    assert start.active == position.active and start.ply in (1, 2)
    assert {(p.seat, p.kind, p.place) for p in start.pieces} == {(p.seat, p.kind, p.place) for p in position.pieces}
    stunned = {p.place: p.stunned - position.ply for p in position.pieces if p.stunned >= position.ply}
    assert stunned == {p.place: p.stunned - start.ply for p in start.pieces if p.stunned >= start.ply}
    assert rules.actions(GAME.view(start, start.active))


def test_two_seats_are_needed() -> None:
    with pytest.raises(Malformed):
        new(Options(), 3, None, SEED)


def test_time_2_expiry_makes_the_first_move_and_then_ends_the_turn() -> None:
    table = Table()
    first = GAME.expire(table.view(0))
    assert first == table.legal()[0]
    table.play(first)
    assert GAME.expire(table.view(0)) == EndTurn()


def test_the_scene_has_three_boards_side_by_side() -> None:
    table = Table("B CH>(5,5) Air", articles=["FL(5,5)"], rockets=[(1, ROCKET, "(5,5)", (1, 0), 1)])
    scene = GAME.scene(table.view(0))
    places = {place.name: place for place in scene.places}
    assert len(places) == 300
    assert [thing.mark for thing in places["^(5,5)"].things] == ["CH"]
    assert [thing.mark for thing in places["(5,5)"].things] == ["FL", "*R"]
    choice = GAME.choice(table.view(0), table.moving("CH", "(5,5) Air", "(7,7)"))
    assert choice.places == ("^(5,5)", "(7,7)")
