"""One test for each rule about the Turn, options, seeing, the end, history and notation that the cases leave open."""

from typing import Any

import pytest

from brettwerk_games.rules.interface import Draw, Flag, Reoption, Resign
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, edited_start, rules
from brettwerk_games.rules.wec.actions import EndTurn, Exchange
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Kind
from brettwerk_games.rules.wec.notation_reader import read
from brettwerk_games.rules.wec.notation_writer import write
from brettwerk_games.rules.wec.options import Actions, Amount, Dominance, Movement, Options, PawnVariant
from brettwerk_games.rules.wec.position import SPECTATOR, End, Position
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec import history
from tests.brettwerk_games.rules.wec.boards import ROCKET, SEED, Table, board
from tests.brettwerk_games.rules.wec.random_games import play

START = new(Options(), 2, None, SEED).position


def test_turn_3_and_turn_4_actions_come_in_any_order_and_the_player_ends_the_turn() -> None:
    orders = []
    for first in ("move", "fire", "pick"):
        table = Table("B TA>(4,4)", "B FP(7,7)", "W DS(5,4)", articles=["BI(7,7)"])
        steps = {
            "move": lambda t=table: t.move("DO", "(1,8)", "(1,7)"),
            "fire": lambda t=table: t.fire("TA", "(4,4)", "FL", (1, 0)),
            "pick": lambda t=table: t.play(t.picking("FP", "(7,7)", "BI")),
        }
        for step in (first, *(name for name in steps if name != first)):
            steps[step]()
        assert table.position.ply == 1, "the Turn goes on until it is ended"
        table.end()
        orders.append(table.position._replace(history=()))
    assert orders[0] == orders[1] == orders[2]


def test_turn_5_and_turn_6_only_the_own_power_is_the_move_and_several_change_place() -> None:
    table = Table("B CH>(5,5)", "B RP(5,5)", "B FP[BI](3,3)").travel("FP", "(3,3)", "BI", "(5,3)")
    assert table.position.turn.mover == 0
    table.move("CH", "(5,5)", "(7,7)", carry=True).end()
    assert table.there("(7,7)") == ["B CH", "B RP"]
    assert table.there("(4,3)") == ["B FP"]


def test_turn_7_effects_at_the_end_come_after_the_actions() -> None:
    table = Table("B TA>(4,4)", "W DS(5,4)").fire("TA", "(4,4)", "FL", (1, 0))
    assert table.there("(5,4)") == ["W DS"]
    table.idle()
    assert table.there("(5,4)") == []


def test_turn_8_and_obs_9_the_squares_offered_are_those_of_the_view() -> None:
    hidden = Table("B TA>(2,4)", "W AAA(4,4)")
    assert hidden.targets("TA", "(2,4)") == Table("B TA>(2,4)").targets("TA", "(2,4)")


def test_turn_10_and_opt_26_a_piece_may_do_several_things_in_a_standard_game() -> None:
    table = Table("B TA>[ST](4,4)").fire("TA", "(4,4)", "FL", (1, 0)).fire("TA", "(4,4)", "ST", (0, 1))
    table.move("TA", "(4,4)", "(5,4)")
    assert table.dropping("TA", "(5,4)", "ST") in table.legal()


def test_time_1_a_lost_clock_loses_and_rul_55_a_draw_is_agreed() -> None:
    for system_action, scores in ((Flag(0), (0.0, 1.0)), (Resign(1), (1.0, 0.0)), (Draw(), (0.5, 0.5))):
        outcome = GAME.outcome(GAME.system_action(START, system_action, SEED).position)
        assert outcome is not None
        assert outcome.scores == scores


def test_win_3_with_two_kings_the_loss_of_either_loses_and_win_4_the_other_ends() -> None:
    for lost in ("(5,4)", "(10,1)"):
        near = {"(5,4)": "B TA>(2,4)", "(10,1)": "B TA>(7,1)"}[lost]
        table = Table(near, "W K(5,4)").move("TA", near.split(">")[1], lost).end()
        assert (table.position.end, table.position.winner) == (End.TAKEN, 0)


def test_mode_1_a_game_starts_open_and_opt_1_and_opt_2_have_their_presets() -> None:
    options = Options()
    assert not options.competitive
    assert (options.movement, options.pawn_variant) == (Movement.WEAPONIZED, PawnVariant.ALL_SIDES_AND_FORWARD)
    presets = {option.key: option.preset for option in GAME.facts.options}
    assert presets == {key: int(value) for key, value in options._asdict().items()}


@pytest.mark.parametrize("fires", [True, False])
def test_opt_10_and_opt_11_and_stealth_2_reveals_can_be_switched_off(fires: bool) -> None:
    for on in (True, False):
        table = Table("W FP[SH](5,5)", "B DS(5,4)", "B DS(2,2)", ply=2, reveal_on_fire=on, reveal_on_take=on)
        if fires:
            table.fire("FP", "(5,5)", "FL", (-1, 0)).idle()
            assert table.sees(0, "FP", "(5,5)") == on
        else:
            table.move("FP", "(5,5)", "(5,4)").end()
            assert table.sees(0, "FP", "(5,4)") == on


def test_opt_12_dominance_is_submergence_by_default() -> None:
    assert Options().dominance == Dominance.SUBMERGENCE
    table = Table("W SU[SH](5,5) Sub", "B DS(5,7)")
    assert table.sees(0, "SU", "(5,5) Sub")


def test_opt_15_and_opt_16_range_and_length_of_stun() -> None:
    table = Table("B STP(3,3)", "W DS(6,3)", stun_range=2).fire("STP", "(3,3)", "ST", (1, 0)).idle()
    assert not table.find("DS", "(6,3)").stunned
    for turns in (1, 2, 9):
        table = Table("B STP(3,3)", "W DS(6,3)", stun_duration=turns).fire("STP", "(3,3)", "ST", (1, 0)).idle()
        assert table.find("DS", "(6,3)").stunned == 1 + 2 * turns


def test_opt_17_and_rul_10_the_nearer_square_does_not_shield_the_farther() -> None:
    table = Table("B TA>(4,4)", "W DS(5,4)", "W DS(6,4)", flame_range=2).fire("TA", "(4,4)", "FL", (1, 0)).idle()
    assert table.there("(5,4)") == table.there("(6,4)") == []


def test_opt_19_and_opt_20_and_opt_21_ranges_of_cleric_and_secondary() -> None:
    for reach in (6, 7, 8):
        assert len(Table("B CL<(1,3)", cleric_range=reach).targets("CL", "(1,3)")) == 2 + reach
        queens = Table("B Q(1,1)", queen_panzer_range=reach, queen_cleric_range=6).targets("Q", "(1,1)")
        assert ("(7,3)" in queens, "(8,4)" in queens, "(9,5)" in queens) == (True, reach >= 7, reach >= 8)
    assert "(9,5)" in Table("B Q(1,1)", queen_panzer_range=6, queen_cleric_range=8).targets("Q", "(1,1)")


def test_opt_29_unwanted_articles_are_left_out() -> None:
    position = new(Options(reinforcements=Amount.NONE, weapons=Amount.NONE, xxx_boxes=Amount.NONE), 2, None, SEED).position
    kinds = {ARTICLE_CODES[article.kind] for lying in position.ground for article in lying}
    assert kinds == {"SH", "ASH", "BI", "JP", "SC"}
    assert position.reserves == ()


def with_value(key: str, value: int) -> Options:
    changes: dict[str, Any] = {key: value}
    return Options()._replace(**changes)


def test_opt_32_values_have_their_ranges_in_the_facts() -> None:
    for option in GAME.facts.options:
        if option.kind == "number":
            for value in (option.min, option.max):
                new(with_value(option.key, value), 2, None, SEED)
            with pytest.raises(Illegal) as refusal:
                new(with_value(option.key, option.max + 1), 2, None, SEED)
            assert refusal.value.rule == "WEC-RUL-57"


def test_stack_1_and_stack_3_hits_of_all_kinds_add_up() -> None:
    table = Table("B RP[XXX,RL](4,4)", "W RP(5,4)").fire("RP", "(4,4)", "RL", (1, 0)).idle()
    assert table.there("(5,4)") == [], "two launchers fire together"
    mixed = Table("B RP(4,4)", "W RP(5,4)", rockets=[(0, ROCKET, "(5,3)", (0, 1), 1)])
    mixed.fire("RP", "(4,4)", "RL", (1, 0)).idle()
    assert mixed.there("(5,4)") == [], "a Fire and a projectile of an earlier Turn"


def test_stack_4_stealth_does_not_stack() -> None:
    table = Table("W FP[XXX,SH,SH](7,7)", "B DS[ASH](5,5)")
    assert table.sees(0, "FP", "(7,7)")


def test_ck_1_no_conversion_kill_at_ground() -> None:
    table = Table("B CL>(5,5)", "W DS(5,6)", "W CP(5,6)").fire("CL", "(5,5)", "CS", (0, 1)).idle()
    assert table.there("(5,6)") == ["B DS", "W CP"]


def test_place_3_the_next_ring_when_the_first_is_full() -> None:
    ring = [f"{code}({row},{column})" for row in (4, 5, 6) for column in (4, 5, 6) for code in ("BI", "JP")]
    table = Table("W CL>[FL](5,5)", "B STP(5,1)", articles=ring).fire("STP", "(5,1)", "ST", (0, 1)).idle()
    assert table.lying("(3,7)") == ["FL"], "the front row of the second ring from the left, as White sees it"


def test_item_2_a_drop_puts_the_article_on_the_own_square() -> None:
    table = Table("B FP[FL](4,4)", articles=["BI(4,4)"])
    table.play(table.dropping("FP", "(4,4)", "FL"))
    assert table.lying("(4,4)") == ["BI", "FL"]
    assert table.refused(table.picking("FP", "(4,4)", "XXX")) == "WEC-ITEM-1"


def test_stealth_6_and_rul_43_lock_and_range_work_together_and_by_themselves() -> None:
    for lock in (True, False):
        for detect in (True, False):
            table = Table("B DS(3,1)", "W AAA(9,3)", articles=["ASH(3,1)"], stealth_lock_on=lock, stealth_range_detect=detect)
            table.play(table.picking("DS", "(3,1)", "ASH"))
            assert table.sees(0, "AAA", "(9,3)") == lock
            near = Table("B DS[ASH](3,1)", "W AAA(5,2)", stealth_lock_on=False, stealth_range_detect=detect)
            assert near.sees(0, "AAA", "(5,2)") == detect


def test_stealth_7_and_obs_1_and_obs_5_most_pieces_are_seen_at_the_start() -> None:
    seen = view(START, 0)
    assert sum(piece.seat == 1 for piece in seen.pieces) == 26
    assert sum(piece.seat == 0 for piece in seen.pieces) == 28
    assert (seen.ply, seen.active, seen.options, seen.ground) == (1, 0, START.options, START.ground)
    deep = Table("W SU(9,9) Sub", "W FP(9,9) Sub")
    assert not deep.sees(0, "FP", "(9,9) Sub"), "passengers count as submerged too"


def test_obs_7_a_piece_seen_during_a_part_of_the_turn_is_shown_for_that_part() -> None:
    table = Table("B DS[ASH](3,3)", "W AAA(6,6)", stealth_lock_on=False)
    assert table.sees(0, "AAA", "(6,6)")
    table.move("DS", "(3,3)", "(2,3)")
    assert not table.sees(0, "AAA", "(6,6)")
    assert [mark.kind for mark in table.view(0).memory.marks] == [Kind.AAA]


def test_obs_10_a_player_learns_the_end_of_their_move_and_the_piece_taken() -> None:
    table = Table("B TA>(2,4)", "W AAA[FL](4,4)").move("TA", "(2,4)", "(6,4)")
    assert table.there("(4,4)") == ["B TA"]
    assert table.lying("(4,4)") == ["FL"]
    received = [result.full for result in table.view(0).turn.results]
    assert received == ["TA*AAA(4,4)1FL0W"]


def test_obs_12_an_open_game_shows_its_whole_history_to_both() -> None:
    table = Table("W AAA(9,8)", ply=2).move("AAA", "(9,8)", "(9,7)").end()
    assert [table.received(seat) for seat in (0, 1)] == ["MV:AAA(9,8)->(9,7)"] * 2
    assert not table.sees(0, "AAA", "(9,7)"), "the board still hides what is hidden"
    closed = Table("W AAA(9,8)", ply=2, competitive=True).move("AAA", "(9,8)", "(9,7)").end()
    assert [closed.received(seat) for seat in (0, 1)] == ["MV:?", "MV:AAA(9,8)->(9,7)"]
    with pytest.raises(Illegal) as refusal:
        GAME.system_action(closed.position, Reoption(Options(competitive=True, stun_range=3)), SEED)
    assert refusal.value.rule == "WEC-MODE-2"


def test_obs_14_without_hiding_both_views_are_complete() -> None:
    options = Options(stealth_invisible=False, submerged_invisible=False)
    for position in list(play(3, options, 60))[::40]:
        for eye in (0, 1, None):
            seen = view(position, eye)
            assert [(p.id, p.place, p.stunned) for p in seen.pieces] == [(p.id, p.place, p.stunned) for p in position.pieces]
            if eye in (0, 1):
                assert all(r.kind is None for r in seen.reserves if r.seat != eye)


def test_hist_2_a_game_goes_on_from_any_point_of_its_history() -> None:
    last = list(play(11, Options(), 40))[-1]
    lines = [line.full for line in last.history]
    for count in (0, len(lines) // 2, len(lines)):
        middle = history.rebuilt(START, lines[:count])
        assert middle.ply == count + 1
        assert history.rebuilt(middle, lines[count:]).history == last.history


def test_notation_1_to_notation_9_one_string_with_its_parts_in_order() -> None:
    table = Table("B TA>(2,4)", "W RP(6,4)", "B FP[BI](3,3)", "B RP(3,2)", "B CP(8,8)", "B DS(7,7)", articles=["FL(8,8)"])
    exchange = Exchange(table.find("FP", "(3,3)").id, table.find("FP", "(3,3)").articles[0].kind, table.find("RP", "(3,2)").id)
    table.play(exchange).move("TA", "(2,4)", "(5,4)").fire("TA", "(5,4)", "FL", (1, 0))
    table.play(table.picking("CP", "(8,8)", "FL")).fire("DS", "(7,7)", "TL", (0, 1)).end()
    assert table.string() == (
        "MV:TA(2,4)>->(5,4),FI1:FL/TA(5,4)>->(6,4),FI2:TL/DS(7,7)->(7,8),PU:CP(8,8)^FL,EX:FP(3,3)1BI->BI->RP(3,2),"
        "RS:T->(7,7)(0,1),FK*RP(6,4)0W,OR:XMFPF"
    )


@pytest.mark.parametrize(
    ("pieces", "target", "weapon", "sign"),
    [
        (["B RP(4,4)"], "W DS(5,4)", "RL", "RK*DS(5,4)0W"),
        (["B AAA(4,4)"], "W JE(5,4) Air", "SL", "SK*JE^(5,4)0W"),
        (["B DS(4,4)"], "W SU(5,4) Sub", "TL", "TK*SUv(5,4)0W"),
        (["B CL>(4,4)"], "W DS(5,4)", "CS", "CS*DS(5,4)0W"),
        (["B STP(4,4)"], "W DS(5,4)", "ST", "ST*DS(5,4)3W"),
    ],
)
def test_notation_4_and_notation_7_results_name_kind_piece_and_colour(
    pieces: list[str], target: str, weapon: str, sign: str
) -> None:
    code = pieces[0].split()[1].split("(")[0].rstrip("<>")
    table = Table(*pieces, target).fire(code, "(4,4)", weapon, (1, 0)).idle()
    assert sign in table.string()


def test_notation_8_every_piece_has_its_code_and_is_read_back() -> None:
    assert {nature.code for nature in NATURES.values()} == {
        "DO",
        "TA",
        "CH",
        "JE",
        "SU",
        "DS",
        "AAA",
        "CL",
        "Q",
        "K",
        "PR",
        "PM",
        "DI",
        "AS",
        "AC",
        "AV",
        "RP",
        "FP",
        "SHP",
        "STP",
        "CP",
        "XP",
        "SOP",
    }
    seen = view(START, 0)
    for action in rules.actions(seen):
        assert read(seen, write(seen, action)) == action


def test_edit_1_and_edit_2_and_edit_5_a_board_from_the_present_position() -> None:
    now = list(play(5, Options(), 30))[-1]
    calm = now._replace(
        pieces=tuple(p._replace(transit=None) for p in now.pieces if p.place < 100),
        projectiles=tuple(p._replace(homing=False, target=0) for p in now.projectiles),
        end=End.ON,
        winner=None,
    )
    begun = new(Options(), 2, calm, SEED).position
    assert begun.edited
    assert sorted((p.seat, p.kind, p.place) for p in begun.pieces) == sorted((p.seat, p.kind, p.place) for p in calm.pieces)
    assert edited_start.warnings(board(), Options()) == ()


def test_rul_4_takes_are_immediate_and_the_articles_fall_at_once() -> None:
    table = Table("B TA>(4,4)", "W FP[BI](5,4)").move("TA", "(4,4)", "(5,4)")
    assert table.there("(5,4)") == ["B TA"]
    assert table.lying("(5,4)") == ["BI"]
    table.play(table.picking("TA", "(5,4)", "BI"))


def test_rul_56_a_step_may_be_taken_back_in_open_games_only() -> None:
    for competitive in (False, True):
        start = new(Options(competitive=competitive), 2, None, SEED).position
        move = rules.actions(view(start, 0))[0]
        for position, action in ((start, move), (after(start, move), EndTurn())):
            step = rules.apply(position, 0, action, SEED)
            assert step.reveals
            assert step.retractable == (not competitive)


def after(position: Position, action: object) -> Position:
    return rules.apply(position, position.active, action, SEED).position  # type: ignore[arg-type]


def test_rul_50_and_actions_moves_only_has_no_reinforcements() -> None:
    table = Table("B DS(9,4)", reserves=True, actions=Actions.MOVES_ONLY).move("DS", "(9,4)", "(8,4)")
    assert table.legal() == (EndTurn(),)
    assert view(table.position, None).eye == SPECTATOR
