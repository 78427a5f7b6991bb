"""One test for each rule about seeing, views, history and modes that the cases leave open."""

import pytest

from brettwerk_games.rules.interface import Draw, Flag, Reoption, Resign
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Acted, Happened, Written
from brettwerk_games.rules.wec.options import FACTS, Government, Options
from brettwerk_games.rules.wec.position import End, Line
from brettwerk_games.rules.wec.sampler import sample
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import show, view
from tests.brettwerk_games.rules.wec import history
from tests.brettwerk_games.rules.wec.boards import ROCKET, SEED, Table, sq


def test_opt_4_and_opt_5_off_show_everything() -> None:
    assert Table("W AAA(9,8)", stealth_invisible=False).sees(0, "AAA", "(9,8)")
    assert Table("W SU(5,5) Sub", submerged_invisible=False).sees(0, "SU", "(5,5) Sub")
    assert not Table("W SU(5,5) Sub").sees(0, "SU", "(5,5) Sub")


def test_opt_6_off_nothing_locks() -> None:
    table = Table("B DS(3,1)", "W AAA(9,3)", articles=["ASH(3,1)"], stealth_lock_on=False)
    assert not table.play(table.picking("DS", "(3,1)", "ASH")).sees(0, "AAA", "(9,3)")


def test_opt_8_and_opt_9_ranges() -> None:
    assert Table("B SHP(4,4)", "W AAA(8,4)", stealth_detector_range=4).sees(0, "AAA", "(8,4)")
    assert Table("B DS(4,4)", "W SU(8,4) Sub", submergence_detector_range=4).sees(0, "SU", "(8,4) Sub")
    assert not Table("B DS(4,4)", "W SU(5,4) Sub", submergence_detector_range=0).sees(0, "SU", "(5,4) Sub")


def test_stealth_3_an_exchange_locks_too() -> None:
    table = Table("B FP[ASH](3,1)", "B DS(3,2)", "W AAA(9,3)")
    table.position = table.position._replace(
        pieces=tuple(p._replace(articles=tuple(a._replace(lock=0) for a in p.articles)) for p in table.position.pieces)
    )
    assert not table.sees(0, "AAA", "(9,3)")
    assert table.play(table.giving("FP", "(3,1)", "ASH", "DS", "(3,2)")).sees(0, "AAA", "(9,3)")


def test_rul_44_a_lock_ends_when_the_target_changes_sides_or_the_carrier_dies() -> None:
    table = Table("B DS[ASH](3,3)", "W AAA(9,9)", "W FP(4,3)", ply=2)
    assert table.sees(0, "AAA", "(9,9)")
    table.fire("FP", "(4,3)", "FL", (-1, 0)).idle()
    assert not table.sees(0, "AAA", "(9,9)")


def test_rul_45_a_hidden_piece_that_takes_is_revealed() -> None:
    for reveal in (True, False):
        table = Table("W TA>[SH](5,5)", "B FP(3,5)", ply=2, reveal_on_take=reveal)
        assert not table.sees(0, "TA", "(5,5)")
        table.move("TA", "(5,5)", "(3,5)").end()
        assert table.sees(0, "TA", "(3,5)") == reveal
        table.idle()
        assert not table.sees(0, "TA", "(3,5)")


def test_subm_2_a_sub_that_fires_is_revealed() -> None:
    table = Table("W SU(5,5) Sub", ply=2).fire("SU", "(5,5) Sub", "TL", (-1, 0))
    assert table.sees(0, "SU", "(5,5) Sub")
    assert not table.idle().idle().sees(0, "SU", "(5,5) Sub")


def test_obs_2_the_transit_of_a_visible_enemy_is_hidden() -> None:
    table = Table("W FP[BI](5,5)!", ply=2).travel("FP", "(5,5)", "BI", "(2,2)")
    seen = next(piece for piece in table.view(0).pieces if piece.seat == 1 and piece.articles)
    assert seen.transit is not None and seen.transit.left == () and not seen.origin
    own = next(piece for piece in table.view(1).pieces if piece.articles)
    assert own.transit is not None and own.transit.left[-1] == sq("(2,2)")


def test_obs_8_markers_show_where_enemies_went_out_of_sight() -> None:
    table = Table("B SHP(4,4)", "W AAA(7,7)", ply=2).move("AAA", "(7,7)", "(8,8)")
    mark = table.view(0).memory.marks
    assert [(m.place, m.kind.name) for m in mark] == [(sq("(7,7)"), "AAA")]
    assert table.end().view(0).memory.marks == mark
    table.idle().move("AAA", "(8,8)", "(7,7)")
    assert table.view(0).memory.marks == ()


def test_obs_11_the_enemys_reinforcements_have_no_types() -> None:
    position = new(Options(), 2, None, SEED).position
    theirs = [reserve for reserve in view(position, 0).reserves if reserve.seat == 1]
    assert len(theirs) == 10 and all(reserve.kind is None and not reserve.id for reserve in theirs)
    assert all(reserve.kind for reserve in view(position, 0).reserves if reserve.seat == 0)


def test_obs_13_nobody_is_told_that_their_hidden_piece_is_seen() -> None:
    table = Table("W AAA(9,8)", ply=2).fire("AAA", "(9,8)", "SL", (-1, 0))
    assert all(not piece.revealed for piece in table.view(1).pieces)
    assert any(piece.revealed for piece in table.position.pieces)


def test_obs_3_a_hit_on_a_piece_that_stays_hidden_is_not_shown() -> None:
    table = Table("B STP(3,3)", "W AAA(5,3)", competitive=True).fire("STP", "(3,3)", "ST", (1, 0))
    assert [hit.piece for hit in table.view(0).turn.hits] == [table.find("DO", "(10,3)").id], "what they must believe"
    assert [hit.piece for hit in table.position.turn.hits] == [table.find("AAA", "(5,3)").id]
    table.idle()
    assert "AAA" not in table.received(0)
    assert "ST*AAA(5,3)3W" in table.received(1)


def test_rul_61_projectiles_and_lying_articles_are_public() -> None:
    table = Table(articles=["FL(5,5)"], rockets=[(1, ROCKET, "(5,5)", (1, 0), 2)])
    for seat in (0, 1, None):
        assert len(table.view(seat).projectiles) == 1
        assert table.view(seat).ground == table.position.ground


def test_spectators_see_nothing_that_could_be_hidden() -> None:
    table = Table("B SHP(4,4)", "W AAA(5,5)", "W SU(5,6) Sub")
    assert table.sees(0, "AAA", "(5,5)")
    for code, where in (("SHP", "(4,4)"), ("AAA", "(5,5)"), ("SU", "(5,6) Sub")):
        assert not table.sees(None, code, where)


def test_rul_53_a_take_by_an_unseen_piece_is_noted_with_a_question_mark() -> None:
    table = Table("W TA>[SH](5,5)", "B FP(3,5)", ply=2, reveal_on_take=False, competitive=True)
    table.move("TA", "(5,5)", "(3,5)").end()
    assert table.received(0) == "MV:?,RS:?*FP(3,5)0B"
    assert table.received(1) == "MV:TA(5,5)1SH>->(3,5),RS:TA*FP(3,5)0B"


def test_rul_53_a_move_seen_at_one_end_only() -> None:
    table = Table("B SHP(4,4)", "W AAA(7,7)", ply=2, competitive=True).move("AAA", "(7,7)", "(8,8)").end()
    assert table.received(0) == "MV:AAA(7,7)->(?,?)"
    back = Table("B SHP(4,4)", "W AAA(8,8)", ply=2, competitive=True).move("AAA", "(8,8)", "(7,7)").end()
    assert back.received(0) == "MV:AAA(?,?)->(7,7)"


def test_events_are_cut_to_what_an_eye_may_read() -> None:
    table = Table("W AAA(9,8)", ply=2, competitive=True)
    step = rules.apply(table.position, 1, table.moving("AAA", "(9,8)", "(9,9)"), SEED)
    (acted,) = step.events
    assert show(acted, 0) is None
    assert show(acted, 1) == Acted(1, ("", "MV:AAA(9,8)->(9,9)", ""))
    fired = rules.apply(table.position, 1, table.moving("DO", "(10,3)", "(10,4)"), SEED)
    assert show(fired.events[0], 0) == Acted(1, ("MV:DO(10,3)->(10,4)", "", ""))
    assert show(Happened(("", "x", "")), 0) is None
    assert show(Written(3, ("a", "b", "c")), None) == Written(3, ("", "", "c"))


def test_hist_1_the_view_carries_the_last_strings_and_all_after_the_end() -> None:
    table = Table().until(14)
    assert table.view(0).first_line == 1 and table.view(0).history == history.strings(table.position, 0)
    long = tuple(Line("MV:" + "x" * number * 200, ("", "", "")) for number in range(1, 14))
    table.position = table.position._replace(history=long)
    seen = table.view(0)
    assert sum(map(len, seen.history)) <= 8000 and seen.history == tuple(line.full for line in long[-3:])
    assert seen.first_line + len(seen.history) == table.position.ply
    table.position = GAME.system_action(table.position, Draw(), SEED).position
    assert table.view(0).first_line == 1 and table.view(0).history == history.strings(table.position, 0)
    assert len(table.view(0).history) == 13


def test_rul_55_resignation_flag_and_draw() -> None:
    position = Table().position
    for system_action, end, winner in ((Resign(0), End.RESIGNED, 1), (Flag(1), End.TIME, 0), (Draw(), End.AGREED, None)):
        after = GAME.system_action(position, system_action, SEED).position
        assert (after.end, after.winner) == (end, winner)
        assert GAME.to_act(after) == ()


def test_opt_30_competitive_goes_on_and_never_off() -> None:
    position = GAME.system_action(Table().position, Reoption(Options(competitive=True)), SEED).position
    assert position.options.competitive
    with pytest.raises(Illegal) as refusal:
        GAME.system_action(position, Reoption(Options()), SEED)
    assert refusal.value.rule == "WEC-MODE-2"


def test_mode_2_other_options_change_in_open_games_unless_they_made_the_start() -> None:
    position = Table().position
    changed = GAME.system_action(position, Reoption(Options(flame_range=2)), SEED).position
    assert changed.options.flame_range == 2
    with pytest.raises(Illegal) as refusal:
        GAME.system_action(position, Reoption(Options(government_black=Government.DEMOCRACY)), SEED)
    assert refusal.value.rule == "WEC-OPT-3"
    assert len(FACTS.settled) == 5


@pytest.mark.parametrize("key", FACTS.ranges)
def test_rul_57_values_outside_their_range_are_refused(key: str) -> None:
    least, most = FACTS.ranges[key]
    for value in (least, most):
        new(Options(**{key: value}), 2, None, SEED)  # type: ignore[arg-type]
    for value in (least - 1, most + 1):
        with pytest.raises(Illegal) as refusal:
            new(Options(**{key: value}), 2, None, SEED)  # type: ignore[arg-type]
        assert refusal.value.rule == "WEC-RUL-57"


@pytest.mark.parametrize("competitive", [False, True])
def test_obs_16_once_the_game_is_over_everybody_sees_everything(competitive: bool) -> None:
    table = Table("B FP(3,3)", "W SU(5,5) Sub", "W AAA(8,8)", reserves=True, competitive=competitive)
    position = table.position
    assert len(view(position, 0).pieces) < len(position.pieces)
    ended = GAME.system_action(position, Resign(0), SEED).position
    for eye in (0, 1, None):
        seen = view(ended, eye)
        assert [(p.id, p.place, p.articles) for p in seen.pieces] == [(p.id, p.place, p.articles) for p in ended.pieces]
        assert seen.reserves == ended.reserves and all(reserve.kind is not None for reserve in seen.reserves)
        assert seen.history == tuple(line.full for line in ended.history)
        assert view(sample(seen, SEED), eye) == seen
    assert view(position, 0) != view(ended, 0)
