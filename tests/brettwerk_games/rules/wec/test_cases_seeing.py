"""The cases on seeing, on the end, on modes and options."""

import random

import pytest

from brettwerk_games.rules.interface import Reoption, Resign
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, edited_start, rules
from brettwerk_games.rules.wec.actions import Action
from brettwerk_games.rules.wec.kinds import Article, Hand, Kind
from brettwerk_games.rules.wec.options import Actions, Dominance, Movement, Options
from brettwerk_games.rules.wec.pieces import Transit
from brettwerk_games.rules.wec.position import End, Position, Reserve
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec import history
from tests.brettwerk_games.rules.wec.boards import ROCKET, SEED, Table, board, sq


def test_case_77_reveal_by_fire() -> None:
    for reveal in (True, False):
        table = Table("W AAA(9,8)", reveal_on_fire=reveal).idle()
        assert not table.sees(0, "AAA", "(9,8)")
        table.fire("AAA", "(9,8)", "SL", (-1, 0))
        assert table.sees(0, "AAA", "(9,8)") == reveal
        assert table.idle().sees(0, "AAA", "(9,8)") == reveal
        table.idle()
        assert not table.sees(0, "AAA", "(9,8)")
        assert not table.until(5).sees(0, "AAA", "(9,8)")


def test_case_78_range_detection() -> None:
    table = Table("B SHP(4,4)", "W AAA(7,7)", "W AAA(8,4)")
    assert table.sees(0, "AAA", "(7,7)")
    assert not table.sees(0, "AAA", "(8,4)")
    off = Table("B SHP(4,4)", "W AAA(7,7)", "W AAA(8,4)", stealth_range_detect=False)
    assert not off.sees(0, "AAA", "(7,7)")
    assert not off.sees(0, "AAA", "(8,4)")


def test_case_79_lock_on() -> None:
    table = Table("B DS(3,1)", "W AAA(9,3)", "W AAA(9,8)", articles=["ASH(3,1)"])
    table.play(table.picking("DS", "(3,1)", "ASH"))
    assert table.sees(0, "AAA", "(9,3)")
    assert not table.sees(0, "AAA", "(9,8)")
    table.idle().move("AAA", "(9,3)", "(9,4)").end()
    assert table.sees(0, "AAA", "(9,4)")
    table.play(table.dropping("DS", "(3,1)", "ASH"))
    assert not table.sees(0, "AAA", "(9,4)")


def test_case_81_dominance() -> None:
    assert Table("W SU[SH](5,5) Sub", "B DS(4,4)").sees(0, "SU", "(5,5) Sub")
    stealth = {"dominance": Dominance.STEALTH}
    assert not Table("W SU[SH](5,5) Sub", "B DS(4,4)", **stealth).sees(0, "SU", "(5,5) Sub")
    assert Table("W SU[SH](5,5) Sub", "B DS[ASH](4,4)", **stealth).sees(0, "SU", "(5,5) Sub")


def test_case_82_submerged_passenger_seen_alone() -> None:
    table = Table("W SU[SH](5,5) Sub", "W FP(5,5) Sub", "B DS(4,4)", dominance=Dominance.STEALTH)
    assert table.sees(0, "FP", "(5,5) Sub")
    assert not table.sees(0, "SU", "(5,5) Sub")


def test_case_83_nothing_leaks() -> None:
    here, there = board("B TA>(2,4)", "W AAA(4,4)"), board("B TA>(2,4)", "W AAA(8,8)")
    assert view(here, 0) == view(there, 0)
    assert rules.actions(view(here, 0)) == rules.actions(view(there, 0))
    assert view(here, 1) != view(there, 1)


def test_case_84_both_primaries_lost_in_one_turn() -> None:
    for strength, winner in ((2, 1), (1, 0)):
        rocket = (1, ROCKET, "(2,10)", (-1, 0), strength)
        table = Table("B TA>(9,1)", rockets=[rocket]).move("TA", "(9,1)", "(10,1)").end()
        assert table.position.winner == winner
        assert table.position.end == (End.DESTROYED if winner else End.TAKEN)


def test_case_85_loss_in_the_opponents_turn() -> None:
    rocket = (1, ROCKET, "(2,10)", (-1, 0), 2)
    assert Table(ply=2, rockets=[rocket]).idle().position.winner == 1


def test_case_86_one_action_per_piece() -> None:
    table = Table("B TA>[ST](4,4)", "B CL>(4,5)", actions=Actions.ONE_PER_PIECE).move("TA", "(4,4)", "(5,4)")
    assert table.refused(table.firing("TA", "(5,4)", "FL", (1, 0))) == "WEC-RUL-49"
    assert table.refused(table.dropping("TA", "(5,4)", "ST")) == "WEC-RUL-49"
    assert table.refused(table.giving("TA", "(5,4)", "ST", "CL", "(4,5)")) == "WEC-RUL-49"
    assert table.firing("CL", "(4,5)", "CS", (1, 0)) in table.legal()
    fired = Table("B TA>[ST](4,4)", "B CL>(4,5)", actions=Actions.ONE_PER_PIECE).fire("TA", "(4,4)", "FL", (1, 0))
    assert fired.refused(fired.moving("TA", "(4,4)", "(5,4)")) == "WEC-RUL-49"


def test_case_87_moves_only_sub_and_jet_combat() -> None:
    pieces = ("B JE[ST](5,5) Air", "W DO(5,5)", "W JE(6,5) Air", "W JE(7,7) Air")
    more = {"actions": Actions.MOVES_ONLY, "movement": Movement.STANDARD_CHESS}
    table = Table(*pieces, sub_jet_combat=True, articles=["FL(1,8)"], **more)
    assert table.refused(table.firing("JE", "(5,5) Air", "SL", (1, 0))) == "WEC-RUL-50"
    assert table.refused(table.picking("DO", "(1,8)", "FL")) == "WEC-RUL-50"
    assert table.refused(table.dropping("JE", "(5,5) Air", "ST")) == "WEC-RUL-50"
    assert {"(5,5)", "^(6,5)"} <= table.targets("JE", "(5,5) Air")
    assert "^(7,7)" not in table.targets("JE", "(5,5) Air")
    assert table.move("JE", "(5,5) Air", "(6,5) Air").there("(6,5) Air") == ["B JE"]
    off = Table(*pieces, **more)
    assert not {"(5,5)", "^(6,5)", "^(7,7)"} & off.targets("JE", "(5,5) Air")
    with pytest.raises(Illegal) as refusal:
        new(Options(actions=Actions.MOVES_ONLY, sub_jet_combat=True), 2, None, SEED)
    assert refusal.value.rule == "WEC-OPT-27"


def test_case_89_restrictions_on_the_primary() -> None:
    table = Table("B CH>(1,10)", articles=["SH(1,10)", "JP(1,10)"])
    assert "^(3,8)" in table.targets("CH", "(1,10)", carry=True)
    assert table.picking("K", "(1,10)", "JP") in table.legal()
    assert table.refused(table.picking("K", "(1,10)", "SH")) == "WEC-RUL-42"
    low = Table("B CH>(1,10)", articles=["SH(1,10)", "JP(1,10)"], king_may_leave_ground=False)
    assert low.refused(low.moving("CH", "(1,10)", "(3,8) Air", carry=True)) == "WEC-OPT-23"
    low.play(low.picking("K", "(1,10)", "JP"))
    assert low.refused(low.travelling("K", "(1,10)", "JP", "(5,5)")) == "WEC-OPT-23"
    secret = Table("B CH>(1,10)", articles=["SH(1,10)"], king_may_be_stealthy=True)
    secret.play(secret.picking("K", "(1,10)", "SH"))
    assert not secret.sees(1, "K", "(1,10)")


def test_case_90_competitive_mode() -> None:
    hidden = Table("W AAA(9,8)", competitive=True).idle().move("AAA", "(9,8)", "(9,9)").end()
    assert hidden.received(0) == "MV:?"
    assert hidden.received(1) == "MV:AAA(9,8)->(9,9)"
    with pytest.raises(Illegal) as refusal:
        GAME.system_action(hidden.position, Reoption(Options()), SEED)
    assert refusal.value.rule == "WEC-MODE-2"

    hidden.position = GAME.system_action(hidden.position, Resign(0), SEED).position
    assert hidden.received(0) == "MV:AAA(9,8)->(9,9)"
    free = Table("W AAA(9,8)").idle().move("AAA", "(9,8)", "(9,9)").end()
    assert free.received(0) == "MV:AAA(9,8)->(9,9)"


def played(number: int, most: int = 60) -> tuple[list[Action], list[Position]]:
    rng = random.Random(number)
    positions = [new(Options(), 2, None, SEED).position]
    actions: list[Action] = []
    while len(actions) < most and positions[-1].end == End.ON:
        now = positions[-1]
        actions.append(rng.choice(rules.actions(view(now, now.active))))
        positions.append(rules.apply(now, now.active, actions[-1], SEED).position)
    return actions, positions


def test_case_91_undo_and_replay_give_identical_states() -> None:
    actions, positions = played(91)
    for back in (0, 7, 30):
        now = positions[back]
        for action, expected in zip(actions[back:], positions[back + 1 :], strict=True):
            now = rules.apply(now, now.active, action, SEED).position
            assert now == expected


def refused(position: Position) -> str:
    with pytest.raises(Illegal) as refusal:
        new(position.options, 2, position, SEED)
    return refusal.value.rule


def test_case_93_editor_checks() -> None:
    good = board("B FP(3,3)")
    assert refused(board(articles=["FL(3,3)", "ST(3,3)", "SH(3,3)"])) == "WEC-RUL-65"
    assert refused(board("B FP(3,3)", "B RP(3,3)")) == "WEC-RUL-65"
    assert refused(board("B FP(3,3) Air")) == "WEC-RUL-65"
    moving = [p._replace(transit=Transit(Article.BIKE, (1,))) if p.kind == Kind.FLAME_PAWN else p for p in good.pieces]
    assert refused(good._replace(pieces=tuple(moving))) == "WEC-RUL-65"
    rocket = board(rockets=[(0, ROCKET, "(5,5)", (1, 0), 1)])
    assert refused(rocket._replace(projectiles=(rocket.projectiles[0]._replace(homing=True, target=1),))) == "WEC-RUL-65"
    two = tuple(
        Reserve(50 + n, 0, sq("(9,9)"), kind, hand)
        for n, (kind, hand) in enumerate(((Kind.PANZER, Hand.LEFT), (Kind.DOZER, Hand.NONE)))
    )
    assert refused(board()._replace(reserves=two)) == "WEC-RUL-65"
    new(Options(), 2, rocket, SEED)
    stunned = tuple(p._replace(stunned=3) for p in good.pieces)
    assert new(Options(), 2, good._replace(pieces=stunned), SEED).position.pieces[0].stunned == 3
    kings = board("B K(1,1)", "W TA>(5,1)", ply=2)
    assert edited_start.warnings(kings, Options()) == ("primaries.0",)
    table = Table("B K(1,1)", "W TA>(5,1)", ply=2).move("TA", "(5,1)", "(1,1)").end()
    assert (table.position.end, table.position.winner) == (End.TAKEN, 1)


def test_case_94_same_inputs_same_game() -> None:
    actions, positions = played(94)
    again = new(Options(), 2, None, SEED).position
    for action in actions:
        again = rules.apply(again, again.active, action, SEED).position
    assert again == positions[-1]
    for seat in (0, 1, None):
        assert view(again, seat) == view(positions[-1], seat)
        assert history.strings(again, seat) == history.strings(positions[-1], seat)
