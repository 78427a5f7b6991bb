"""Refusals name their rule, in words that say nothing of hidden pieces (WEC-RUL-66), and what the rules leave unsaid is safe."""

import pytest

from brettwerk_games.rules.interface import Resign
from brettwerk_games.rules.refusals import GameOver, GameRefusal, Illegal, NotYourTurn
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, Doze, EndTurn, Exchange, Move, Route, Strike, Travel
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, Article, Kind
from brettwerk_games.rules.wec.notation_reader import read
from brettwerk_games.rules.wec.notation_writer import write
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import MAX_PLY, End, Reserve
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED, Table, sq
from tests.brettwerk_games.rules.wec.random_games import play
from tests.night import by_day


def test_dozing_is_for_dozers_that_can_move() -> None:
    table = Table("B DO(4,4)", "B FP(4,4)")
    assert table.refused(Doze(table.find("FP", "(4,4)").id, 0)) == "WEC-DOZE-1"
    table.move("DO", "(1,8)", "(1,7)")
    assert table.refused(table.dozing("(4,4)", (1, 0))) == "WEC-TURN-1"


def test_only_jets_and_subs_strike() -> None:
    table = Table("B FP(4,4)")
    assert table.refused(Strike(table.find("FP", "(4,4)").id, sq("(4,4)"))) == "WEC-FIRE-OFFLEVEL-1"


def test_carrying_needs_a_companion() -> None:
    table = Table("B CH>(4,4)")
    assert table.refused(table.moving("CH", "(4,4)", "(6,6)", carry=True)) == "WEC-CARRY-1"


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("FP", "WEC-MOVE-PAWN-1"),
        ("TA>", "WEC-MOVE-PANZER-1"),
        ("CL>", "WEC-MOVE-CLERIC-1"),
        ("CH>", "WEC-MOVE-CHOPPER-1"),
        ("SU", "WEC-MOVE-SUB-1"),
        ("JE", "WEC-MOVE-JET-1"),
        ("DS", "WEC-MOVE-STEP-1"),
        ("Q", "WEC-MOVE-QUEEN-1"),
        ("K", "WEC-MOVE-KING-1"),
    ],
)
def test_a_move_that_a_piece_has_not_names_how_it_moves(code: str, rule: str) -> None:
    table = Table(f"B {code}(5,5)")
    assert table.refused(table.moving(code.rstrip("<>"), "(5,5)", "(1,2)")) == rule


def test_routes_and_targets_of_transits() -> None:
    table = Table("B FP[BI](3,3)")
    number = table.find("FP", "(3,3)").id
    assert table.refused(Travel(number, Article.BIKE, sq("(3,3)"))) == "WEC-RUL-33"
    assert table.refused(Travel(number, Article.BIKE, sq("(6,3)"), Route.PORT)) == "WEC-RUL-33"
    assert table.refused(Travel(number, Article.SCUBA, sq("(6,3)"))) == "WEC-FIRE-1"


@pytest.mark.parametrize("article", [Article.FLAME, Article.COUNTER_STUN, Article.XXX])
def test_only_a_transport_travels(article: Article) -> None:
    table = Table(f"B FP[{ARTICLE_CODES[article]}](3,3)")
    assert table.refused(Travel(table.find("FP", "(3,3)").id, article, sq("(6,3)"))) == "WEC-FIRE-1"


def test_an_exchange_needs_what_it_names() -> None:
    table = Table("B FP[FL](3,3)", "B RP(3,4)")
    one, two = table.find("FP", "(3,3)").id, table.find("RP", "(3,4)").id
    assert table.refused(Exchange(one, Article.FLAME, two, Article.STUN)) == "WEC-ITEM-3"
    assert table.refused(Exchange(one, Article.STUN, two)) == "WEC-ITEM-3"


def test_turn_and_end() -> None:
    table = Table()
    with pytest.raises(NotYourTurn):
        rules.apply(table.position, 1, EndTurn(), SEED)
    over = GAME.system_action(table.position, Resign(0), SEED).position
    with pytest.raises(GameOver):
        rules.apply(over, 0, EndTurn(), SEED)
    with pytest.raises(GameOver):
        GAME.system_action(over, Resign(1), SEED)
    outcome = GAME.outcome(over)
    assert outcome is not None and outcome.scores == (0.0, 1.0)


def test_bound_1_a_game_ends_after_its_greatest_length() -> None:
    table = Table()
    table.position = table.position._replace(ply=MAX_PLY - 1)
    table.idle().idle()
    assert (table.position.end, table.position.winner) == (End.BOUND, None)


def test_a_reinforcement_does_not_come_where_a_hidden_enemy_stands() -> None:
    table = Table("B DS(9,4)", "W AAA(9,4)", reserves=True)
    table.move("DS", "(9,4)", "(8,4)")
    waiting = len(table.position.reserves)
    table.play(table.calling("(9,4)"))
    assert len(table.position.reserves) == waiting
    assert table.there("(9,4)") == ["W AAA"] and table.sees(0, "AAA", "(9,4)")
    assert table.refused(table.calling("(9,4)")) == "WEC-REINF-4"


def test_two_reinforcements_that_look_alike_are_offered_once() -> None:
    table = Table("B DS(9,4)")
    pair = tuple(Reserve(50 + n, 0, sq("(9,4)"), Kind.JET) for n in range(2))
    table.position = table.position._replace(reserves=pair)
    table.move("DS", "(9,4)", "(8,4)")
    call = table.calling("(9,4)")
    assert write(table.view(0), call) == "RE:(9,4)JE"
    assert read(table.view(0), "RE:(9,4)JE") == call


def test_homing_and_striking_are_read_back() -> None:
    table = Table("B JE(6,6) Air", "W CL>(6,6)", "W JE(6,8) Air")
    for action in (table.homing("JE", "(6,6) Air", "SL", "JE", "(6,8) Air"), table.striking("JE", "(6,6) Air", "(6,6)")):
        assert read(table.view(0), write(table.view(0), action)) == action
    for text in ("FI1:RL/JE^(6,6)=>CL(6,7)>", "FI2:SL/JE^(6,6)=>JE^(6,8)", "FI1:SL/JE^(6,6)->(9,9)", "RE:(9,4)JE"):
        with pytest.raises(Illegal) as refusal:
            read(table.view(0), text)
        assert refusal.value.rule == "WEC-RUL-52"


def test_rul_66_a_refusal_says_the_same_whether_a_hidden_piece_is_there_or_not() -> None:
    here, there = Table("B TA>(2,4)", "W AAA(4,4)"), Table("B TA>(2,4)", "W AAA(8,8)")
    number = here.find("AAA", "(4,4)").id
    mover = here.find("TA", "(2,4)").id
    tried: list[Action] = [Move(number, 5), Move(mover, 99), Exchange(mover, Article.FLAME, number), EndTurn()]
    for action in tried:
        received = []
        for table in (here, there):
            with pytest.raises(GameRefusal) as refusal:
                rules.apply(table.position, 0, action, SEED)
            received.append((refusal.value.rule, refusal.value.message, refusal.value.details))
        assert received[0] == received[1]


@pytest.mark.parametrize("actions", by_day(Actions, Actions.ALL))
def test_listed_actions_are_the_legal_ones(actions: Actions) -> None:
    pool: set[Action] = set()
    positions = list(play(21, Options(actions=actions), 60))[::7]
    for position in positions:
        pool.update(rules.actions(view(position, position.active)))
    for position in positions:
        perspective = Perspective(view(position, position.active))
        listed = rules.actions(perspective.view)
        assert len(set(listed)) == len(listed)
        legal = set(listed)
        for action in pool:
            try:
                rules.require_legal(perspective, action)
            except Illegal:
                assert action not in legal
            else:
                assert action in legal, action
