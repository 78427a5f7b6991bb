"""Options for what the manual leaves open: what a stun prevents, when reinforcements come, who exchanges, how much there is."""

from collections import Counter
from typing import Any

import pytest

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.rules.interface import Kind as Wire
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Drop, Exchange, Fire, Move, PickUp, Reinforce, Travel
from brettwerk_games.rules.wec.kinds import Article, Hand
from brettwerk_games.rules.wec.options import Amount, ExchangeLevels, Options, ReinforcementTime, StunEffect
from brettwerk_games.rules.wec.start import new, new_by
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.brettwerk_games.rules.wec.random_games import play, stock


def stunned(table: Table, code: str, where: str, until: int) -> Table:
    number = table.find(code, where).id
    table.position = table.position._replace(
        pieces=tuple(p._replace(stunned=until) if p.id == number else p for p in table.position.pieces)
    )
    return table


# WEC-OPT-33, WEC-RUL-11


@pytest.mark.parametrize(
    ("effect", "kinds"),
    [(StunEffect.HELPLESS, set()), (StunEffect.IMMOBILE, {Fire, PickUp, Drop, Exchange})],
)
def test_opt_33_the_option_decides_on_the_actions_of_a_stunned_piece(effect: StunEffect, kinds: set[Any]) -> None:
    table = Table("B FP[BI](4,4)", "B RP(4,5)", articles=["FL(4,4)"], stun_effect=effect)
    number = stunned(table, "FP", "(4,4)", 5).find("FP", "(4,4)").id
    table.position = table.position._replace(
        pieces=tuple(
            p._replace(articles=(*p.articles, p.articles[0]._replace(kind=Article.XXX))) if p.id == number else p
            for p in table.position.pieces
        )
    )
    does = {type(action) for action in table.legal() if getattr(action, "piece", 0) == number}
    assert does == kinds
    assert Move not in does
    assert Travel not in does


def test_opt_33_who_is_stunned_and_fires_is_refused_by_the_default_only() -> None:
    for effect in StunEffect:
        table = stunned(Table("B FP(4,4)", "W DS(5,4)", stun_effect=effect), "FP", "(4,4)", 5)
        fire = table.firing("FP", "(4,4)", "FL", (1, 0))
        if effect == StunEffect.HELPLESS:
            assert table.refused(fire) == "WEC-FIRE-7"
        else:
            table.play(fire).idle()
            assert table.there("(5,4)") == []


# WEC-OPT-34, WEC-RUL-19


def left(**options: Any) -> Table:
    """A Panzer has left the square of Black's secondary in the Turn before last."""
    table = Table("B TA>(9,5)", "W FP(5,2)", reserves=True, **options)
    return table.move("TA", "(9,5)", "(8,5)").end().idle()


def test_opt_34_a_reinforcement_comes_in_the_turn_of_leaving_or_later_too() -> None:
    assert not any(isinstance(action, Reinforce) for action in left().legal())
    assert left().refused(left().calling("(9,5)")) == "WEC-RUL-19"
    later = left(reinforcement_time=ReinforcementTime.ALSO_LATER)
    assert later.calling("(9,5)") in later.legal()
    later.play(later.calling("(9,5)"))
    assert later.there("(9,5)") == ["B Q"]
    assert not any(isinstance(action, Reinforce) for action in later.idle().idle().legal())


def test_opt_34_it_waits_while_somebody_stands_there() -> None:
    table = left(reinforcement_time=ReinforcementTime.ALSO_LATER)
    table.move("TA", "(8,5)", "(9,5)").end().idle()
    assert not any(isinstance(action, Reinforce) for action in table.legal())
    table.move("TA", "(9,5)", "(8,5)").end().idle()
    assert table.calling("(9,5)") in table.legal()


def test_opt_34_a_second_one_on_the_square_waits_for_another_to_leave() -> None:
    options = Options(reinforcements=Amount.MANY, reinforcement_time=ReinforcementTime.ALSO_LATER)
    table = Table("B TA>(9,5)", "W FP(5,2)", reserves=True, **options._asdict())
    table.move("TA", "(9,5)", "(8,5)").play(table.calling("(9,5)")).end().idle()
    table.move("Q", "(9,5)", "(8,4)").end().idle()
    assert table.calling("(9,5)") in table.legal()
    table = Table("B TA>(9,5)", "W FP(5,2)", reserves=True, **options._asdict())
    table.move("TA", "(9,5)", "(8,5)").play(table.calling("(9,5)")).end().idle()
    number = table.find("Q", "(9,5)").id
    table.position = table.position._replace(pieces=tuple(p for p in table.position.pieces if p.id != number))
    assert not any(isinstance(action, Reinforce) for action in table.legal())


def test_opt_34_the_other_side_is_not_told_that_a_square_is_open() -> None:
    table = left(reinforcement_time=ReinforcementTime.ALSO_LATER)
    assert any(reserve.open for reserve in table.view(0).reserves)
    for eye in (1, None):
        assert not any(reserve.open for reserve in table.view(eye).reserves)


# WEC-OPT-29, WEC-RUL-51


@pytest.mark.parametrize("amount", list(Amount))
def test_rul_51_amounts_are_the_same_for_both_sides(amount: Amount) -> None:
    start = new(Options(reinforcements=amount, weapons=amount, xxx_boxes=amount), 2, None, SEED).position
    for square, lying in enumerate(start.ground):
        assert Counter(a.kind for a in lying) == Counter(a.kind for a in start.ground[99 - square])
        assert len(lying) <= 2
    kinds = [sorted((r.kind, r.square if r.seat == 0 else 99 - r.square) for r in start.reserves if r.seat == s) for s in (0, 1)]
    assert kinds[0] == kinds[1]
    assert len(kinds[0]) == {Amount.NORMAL: 10, Amount.NONE: 0, Amount.FEW: 5, Amount.MANY: 18}[amount]
    assert not any(r.hand != Hand.NONE and sum(o.square == r.square for o in start.reserves) > 1 for r in start.reserves)


def test_rul_51_few_and_many_are_half_and_twice() -> None:
    normal = stock(Options())
    few, many = (stock(Options(weapons=a, xxx_boxes=a)) for a in (Amount.FEW, Amount.MANY))
    for kind, number in normal.items():
        counted = kind not in (Article.BIKE, Article.JUMP_PACK, Article.SCUBA, Article.STEALTH, Article.COUNTER_STEALTH)
        assert few[kind] == (max(2, number // 2) if counted else number), kind
        assert many[kind] == (2 * number if counted else number), kind


# Games that began before


def test_an_exchange_stays_on_a_level_in_games_of_former_revisions() -> None:
    for revision in ("1", "2", "3"):
        assert new_by(revision, Options(), 2, None, SEED).position.options.exchange_levels == ExchangeLevels.SAME
    for revision in ("4", "5"):
        assert new_by(revision, Options(), 2, None, SEED).position.options.exchange_levels == ExchangeLevels.ALL


def test_options_of_a_new_game_that_say_nothing_of_it_mean_what_is_usual() -> None:
    for options in (Options(), Options(exchange_levels=ExchangeLevels.SAME, stun_effect=StunEffect.IMMOBILE)):
        message = pb.WecOptions.FromString(GAME.codec.encode(Wire.OPTIONS, options))
        assert bool(message.exchange_levels) == (options != Options())
        assert GAME.codec.decode(Wire.OPTIONS, message.SerializeToString()) == options


@pytest.mark.parametrize("kind", [Wire.POSITION, Wire.VIEW])
def test_bytes_stored_before_the_option_existed_keep_their_meaning(kind: Wire) -> None:
    former, message = new_by("3", Options(), 2, None, SEED).position, pb.WecPosition() if kind == Wire.POSITION else pb.WecView()
    stored = GAME.codec.encode(kind, former if kind == Wire.POSITION else view(former, 0))
    message.ParseFromString(stored)
    assert not message.options.exchange_levels
    assert GAME.codec.decode(kind, stored).options.exchange_levels == ExchangeLevels.SAME
    today = new(Options(), 2, None, SEED).position
    stored = GAME.codec.encode(kind, today if kind == Wire.POSITION else view(today, 0))
    assert GAME.codec.decode(kind, stored).options.exchange_levels == ExchangeLevels.ALL


@pytest.mark.parametrize("number", range(6))
def test_options_come_back_from_their_bytes(number: int) -> None:
    options = Options(reinforcement_time=ReinforcementTime.ALSO_LATER, stun_effect=StunEffect.IMMOBILE)
    last = list(play(number, options, 80))[-1]
    assert GAME.codec.decode(Wire.POSITION, GAME.codec.encode(Wire.POSITION, last)) == last
    assert view(last, 0).options == options
