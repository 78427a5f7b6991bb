"""The notation both ways: what is written is read, what is read is legal, and whole strings replay (WEC-RUL-52)."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.refusals import GameRefusal, Illegal, Malformed
from brettwerk_games.rules.wec import rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Exchange, Move, Route
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.notation_reader import read, turn_texts
from brettwerk_games.rules.wec.notation_writer import write
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec import history
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.brettwerk_games.rules.wec.random_games import play
from tests.night import examples

EXAMPLE = "MV:TA(2,4)>->(5,4),FI1:FL/TA(5,4)>->(6,4),RS:FK*RP(6,4)0W"


def test_the_example_of_the_rules() -> None:
    table = Table("B TA>(2,4)", "W RP(6,4)").move("TA", "(2,4)", "(5,4)").fire("TA", "(5,4)", "FL", (1, 0)).end()
    assert table.string() == EXAMPLE


def test_the_order_of_play_is_noted_where_it_differs() -> None:
    table = Table("B TA>(2,4)", "W RP(3,4)").fire("TA", "(2,4)", "FL", (1, 0)).move("DO", "(1,8)", "(1,7)").end()
    assert table.string() == "MV:DO(1,8)->(1,7),FI1:FL/TA(2,4)>->(3,4),RS:FK*RP(3,4)0W,OR:FM"
    assert turn_texts(table.string()) == ["FI1:FL/TA(2,4)>->(3,4)", "MV:DO(1,8)->(1,7)"]


def test_every_kind_of_action_is_written_as_the_grammar_says() -> None:
    table = Table(
        "B CH<(1,4)",
        "B JE(1,4)",
        "B FP[BI](3,3)",
        "B RP[ST](3,4)",
        "B JE(6,6) Air",
        "W CL>(6,6)",
        "W JE(6,8) Air",
        "B DO(4,8)",
        "B STP(4,8)",
        "B CP(5,8)",
        articles=["XXX(3,3)"],
    )

    def text(action: object) -> str:
        return write(table.view(0), action)  # type: ignore[arg-type]

    jet = table.find("JE", "(6,6) Air").id
    assert text(table.moving("CH", "(1,4)", "(3,3) Air", carry=True)) == "MV:CH(1,4)<->^(3,3)-TRA->JE(1,4)^(3,3)"
    assert text(table.dozing("(4,8)", (1, 0), "(5,8)")) == "MV:DO(4,8)->(5,8),DO>(5,8)STP(4,8),CP(5,8)"
    assert text(table.travelling("FP", "(3,3)", "BI", "(5,8)", Route.PORT)) == "FI1:BI/FP(3,3)1BI->(5,8)<"
    assert text(table.homing("JE", "(6,6) Air", "SL", "JE", "(6,8) Air")) == "FI1:SL/JE^(6,6)=>JE^(6,8)"
    assert text(table.striking("JE", "(6,6) Air", "(6,6)")) == "FI1:RL/JE^(6,6)=>CL(6,6)>"
    assert text(table.picking("FP", "(3,3)", "XXX")) == "PU:FP(3,3)1BI^XXX"
    assert text(table.dropping("RP", "(3,4)", "ST")) == "DR:RP(3,4)1STvST"
    swap = Exchange(table.find("FP", "(3,3)").id, Article.BIKE, table.find("RP", "(3,4)").id, Article.STUN)
    assert text(swap) == "EX:FP(3,3)1BI->BI<=>ST<-RP(3,4)1ST"
    assert text(table.giving("FP", "(3,3)", "BI", "CH", "(1,4)")) == "EX:FP(3,3)1BI->BI->CH(1,4)<"
    assert text(EndTurn()) == "END"
    assert jet


def test_two_pieces_that_look_alike_on_one_place_are_distinguished() -> None:
    table = Table("B DS(4,4)", "B DS(4,4)")
    first, second = (piece.id for piece in table.position.pieces if piece.place == 33)
    texts = [write(table.view(0), Move(number, 43)) for number in (first, second)]
    assert texts == ["MV:DS(4,4)->(5,4)", "MV:DS(4,4)#2->(5,4)"]
    assert [read(table.view(0), text) for text in texts] == [Move(first, 43), Move(second, 43)]


def test_old_codes_are_read() -> None:
    table = Table("B STP(3,3)", "B CL>[JP](5,5)")
    assert read(table.view(0), "MV:SP(3,3)->(4,4)") == table.moving("STP", "(3,3)", "(4,4)")
    assert read(table.view(0), "FI1:JU/CL(5,5)1JU>->(5,8)") == table.travelling("CL", "(5,5)", "JP", "(5,8)")


def test_the_opponents_reading_of_an_action_comes_from_its_step() -> None:
    table = Table("W AAA(9,8)", ply=2)
    action = table.moving("AAA", "(9,8)", "(9,9)")
    assert write(table.view(1), action) == "MV:AAA(9,8)->(9,9)"
    assert write(table.view(0), action) == "?"
    assert rules.read_by(rules.apply(table.position, 1, action, SEED), 0) == "?"


def test_a_string_with_other_results_is_refused() -> None:
    start = Table("B TA>(2,4)", "W RP(6,4)").position
    assert history.rebuilt(start, [EXAMPLE]).ply == 2
    with pytest.raises(Illegal) as refusal:
        history.rebuilt(start, [EXAMPLE.replace("FK*", "RK*")])
    assert refusal.value.rule == "WEC-RUL-52"
    with pytest.raises(Malformed):
        history.rebuilt(start, ["MV:TA(2,4)>->(5,4),FI1:??"])


LINES = [line.full for position in [list(play(5, Options(), 60))[-1]] for line in position.history]
START = new(Options(), 2, None, SEED).position
SIGNS = "MVFIPUEXREDROSA:->=<^v(),0123456789#?KTQB/ \u0661\U0001d7d9"


def refusal_of(call: Callable[[], object]) -> GameRefusal | None:
    """Return how a call was refused, or None."""
    try:
        call()
    except GameRefusal as refusal:
        return refusal
    return None


def read_at_start(text: str) -> Action:
    return read(view(START, 0), text)


@settings(max_examples=examples(300))
@given(st.data())
def test_broken_strings_are_refused_or_tell_actions(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(LINES))
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    broken = text[:at] + data.draw(st.text(SIGNS, max_size=4)) + text[at + cut :]
    refusal = refusal_of(lambda: turn_texts(broken))
    if refusal is not None:
        assert refusal.rule == "WEC-RUL-52"
        return
    for item in turn_texts(broken):
        refusal = refusal_of(partial(read_at_start, item))
        if refusal is None:
            assert read_at_start(item) in rules.actions(view(START, 0))
        else:
            assert refusal.rule


@settings(max_examples=examples(300))
@given(st.text(SIGNS, max_size=60))
def test_made_up_notation_is_refused(text: str) -> None:
    for call in (partial(turn_texts, text), partial(read_at_start, text)):
        refusal = refusal_of(call)
        assert refusal is None or refusal.rule


def test_a_text_that_is_too_long_is_refused() -> None:
    for call in (partial(turn_texts, "MV:" * 2000), partial(read_at_start, "MV:" * 2000)):
        with pytest.raises(Malformed):
            call()


def test_a_whole_game_rebuilds_from_its_strings() -> None:
    last = list(play(7, Options(), 120))[-1]
    rebuilt = history.rebuilt(START, [line.full for line in last.history])
    assert rebuilt.history == last.history
