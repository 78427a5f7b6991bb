"""The player of Weaponized Chess: its small picture against the rules, what it sees, takes, keeps and uses."""

import array
import importlib.util
import inspect
import math
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.interface import NothingToDo
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.wec import EASY, NORMAL, STRONG, WecPlayer, kernels, layout
from brettwerk_games.players.wec.articles import ArticleWishes
from brettwerk_games.players.wec.holdings import Holdings
from brettwerk_games.players.wec.picture import Picture
from brettwerk_games.players.wec.safety import loses
from brettwerk_games.players.wec.tables import tables
from brettwerk_games.players.wec.turns import WIN
from brettwerk_games.rules.interface import Kind as Wire
from brettwerk_games.rules.wec import GAME, move_execution, rules
from brettwerk_games.rules.wec.actions import Action, Drop, EndTurn, Exchange, Fire, Home, Move, PickUp, Reinforce, Strike, Travel
from brettwerk_games.rules.wec.options import (
    Actions,
    Amount,
    Dominance,
    ExchangeLevels,
    Government,
    Movement,
    Options,
    ReinforcementTime,
    StunEffect,
)
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.brettwerk_games.rules.wec.lookalikes import look_alike
from tests.night import SHARE, at_night
from tests.services.ai.matches import play

GAMES = 3 if SHARE < 1 else 20
"""How many random games the picture is compared in."""
OPEN: dict[str, Any] = {"stealth_invisible": False, "submerged_invisible": False}
ALL_OPTIONS = [
    Options(**OPEN),
    Options(movement=Movement.STANDARD_CHESS, flame_range=2, panzer_range=6, cleric_range=8, **OPEN),
    Options(movement=Movement.MASS_DESTRUCTION, stun_range=2, stun_duration=1, king_may_leave_ground=False, **OPEN),
    Options(movement=Movement.STANDARD_CHESS, actions=Actions.MOVES_ONLY, sub_jet_combat=True, **OPEN),
    Options(government_white=Government.DEMOCRACY, fire_rate_flame=1, fire_rate_rocket=1, fire_rate_sam=1, **OPEN),
    Options(stun_effect=StunEffect.IMMOBILE, exchange_levels=ExchangeLevels.SAME, **OPEN),
]


def wild_positions(options: Options, seed: int, actions: int) -> list[Position]:
    """A random game in which much is fired and little walks away by transport."""
    dice = random.Random(seed)
    position = new(options, 2, None, SEED).position
    found = [position]
    while len(found) < actions and position.end == End.ON:
        legal = [a for a in rules.actions(GAME.view(position, position.active)) if not isinstance(a, Travel)]
        fires = [action for action in legal if isinstance(action, (Fire, Home, Strike))]
        action = dice.choice(fires if fires and dice.random() < 0.4 else legal)
        position = rules.apply(position, position.active, action, SEED).position
        found.append(position)
    return found


@settings(max_examples=GAMES, deadline=None)
@given(st.sampled_from(ALL_OPTIONS), st.integers(0, 10_000))
def test_the_picture_has_the_moves_of_the_rules(options: Options, seed: int) -> None:
    for position in wild_positions(options, seed, 120)[::3]:
        if position.turn.mover or position.end != End.ON:
            continue
        perspective = Perspective(GAME.view(position, position.active))
        picture = Picture(position)
        drawn = [Move(picture.ids[n], place, bool(carry)) for n, place, carry in picture.kernel.moves(position.active)]
        assert len(set(drawn)) == len(drawn)
        assert set(drawn) == set(move_execution.moves(perspective))


@settings(max_examples=GAMES, deadline=None)
@given(st.sampled_from(ALL_OPTIONS), st.integers(0, 10_000))
def test_the_picture_ends_turns_as_the_rules_do(options: Options, seed: int) -> None:
    for position in wild_positions(options, seed, 160):
        if not position.turn.mover or position.end != End.ON:
            continue
        after = rules.apply(position, position.active, EndTurn(), SEED).position
        picture = Picture(position)
        verdict = picture.kernel.end(position.active)
        assert (verdict != 0) == (after.winner is not None)
        assert (verdict > 0) == (after.winner == position.active)
        if after.end == End.ON:
            assert pieces_drawn(picture) == [(p.id, p.seat, p.place, p.stunned) for p in after.pieces]


KERNELS = ("board", "weapons", "movement", "fires", "turn_end", "judgement", "skirmish")
"""The modules of the kernel, each after those that it uses."""


def as_it_is(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the kernel as it runs where nothing compiled it."""
    folder = Path(inspect.getfile(layout)).parent / "kernels"
    assert sorted(KERNELS) == sorted(path.stem for path in folder.glob("[!_]*.py"))
    for name in KERNELS:
        spec = importlib.util.spec_from_file_location(f"{kernels.__name__}.{name}", folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


def test_the_kernel_does_the_same_where_nothing_compiles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = as_it_is(monkeypatch)
    for position in wild_positions(ALL_OPTIONS[0], 21, 120)[20::50]:
        seat = position.active
        ours, theirs = Picture(position).kernel, plain.Skirmish(tables(position.options))
        theirs.load(array.array("i", ours.row(0)))
        moves = ours.moves(seat)
        assert theirs.moves(seat) == moves
        for number, place, carry in moves[:: 12 if SHARE >= 1 else 40]:
            for early in (0, 1, 2):
                turn = ours.try_turn(seat, early, number, place, carry)
                assert theirs.try_turn(seat, early, number, place, carry) == turn
                assert theirs.row(1) == ours.row(1)
        if abs(turn[0]) < 500_000:
            assert theirs.answer(seat, 0, 1, -2_000_000, 10_000) == ours.answer(seat, 0, 1, -2_000_000, 10_000)
        assert theirs.end(seat) == ours.end(seat)
        assert theirs.row(1) == ours.row(1)


def pieces_drawn(picture: Picture) -> list[tuple[int, int, int, int]]:
    row = picture.kernel.row(1)
    found = []
    for n, number in enumerate(picture.ids):
        if row[layout.PLACE + n] >= 0:
            stun = row[layout.STUN + n]
            found.append((number, row[layout.SEAT + n], row[layout.PLACE + n], stun if stun >= row[layout.PLY] else 0))
    return found


def think(table: Table, strength: int = STRONG) -> Action:
    thought = WecPlayer(GAME, strength).think(table.view(table.seat), math.inf, 1)
    assert 0 <= thought.win_chance <= 1
    return thought.action  # type: ignore[no-any-return]


def played(table: Table, strength: int = STRONG) -> list[Action]:
    """Play the Turn of the side that is to act."""
    ply, done = table.position.ply, []
    while table.position.ply == ply and table.position.end == End.ON:
        action = think(table, strength)
        done.append(action)
        table.position = rules.apply(table.position, table.seat, action, SEED).position
    return done


@pytest.mark.parametrize("strength", [NORMAL, STRONG])
@pytest.mark.parametrize("threat", ["W CL>(5,6)", "W TA>(5,10)", "W CP(2,9)", "W CH>(3,9)"])
def test_the_primary_is_brought_into_safety(threat: str, strength: int) -> None:
    table = Table("B FP(4,4)", "B TA>(2,4)", threat, "W RP(7,7)")
    played(table, strength)
    played(table, STRONG)
    assert table.position.end == End.ON or table.position.winner == 0


LESSER = ["B FP(4,4)", "B RP(8,8)", "W STP(4,3)", "W STP(8,9)"]
"""Two Fires that bring something, but far less than the primary."""


@pytest.mark.parametrize(("depth", "takes"), [(1, 0), (0, 1)])
@pytest.mark.parametrize("threat", ["W CL>(5,6)", "W CP(3,8)", "W TA>(5,10)"])
def test_a_fire_after_the_move_is_foreseen_beside_lesser_ones_before_it(threat: str, depth: int, takes: int) -> None:
    kernel = Picture(Table(*LESSER, threat).position).kernel
    kernel.try_turn(0, 0, -1, 0, 0)
    assert (kernel.answer(0, depth, takes, -2 * WIN, 100_000) or 0) <= -WIN
    harmless = Picture(Table(*LESSER, "W DS(5,6)").position).kernel
    harmless.try_turn(0, 0, -1, 0, 0)
    assert (harmless.answer(0, depth, takes, -2 * WIN, 100_000) or 0) > -WIN


def test_one_fire_before_the_move_and_one_after_it() -> None:
    """The Pawn fires where it stands; the Cleric goes to where it reaches the Queen."""
    table = Table("B FP(4,4)", "B CL>(2,9)", "W TA>(5,4)", "W Q(7,4)", "B STP(3,10)", "W STP(4,10)")
    done = played(table)
    assert sum(isinstance(action, Fire) for action in done) == 2


def test_a_piece_that_can_be_taken_safely_is_taken() -> None:
    table = Table("B TA>(2,4)", "W Q(5,4)", "W DS(8,8)")
    played(table)
    assert table.there("(5,4)") == ["B TA"]


def test_its_own_are_not_burnt() -> None:
    table = Table("B TA>(4,4)", "B CL>(5,4)", "W FP(5,5)", "W FP(6,4)")
    played(table)
    assert any(piece.kind.name == "CLERIC" for piece in table.position.pieces)


def test_articles_lying_at_hand_are_picked_up() -> None:
    table = Table("B TA>(2,4)", articles=["CS(2,4)", "CS(1,10)"])
    assert any(isinstance(action, PickUp) for action in played(table))


def test_the_primary_gets_the_counter_it_lacks() -> None:
    table = Table("B FP[ACS](2,9)", "B TA>(5,5)")
    table.move("TA", "(5,5)", "(5,6)")
    give = ArticleWishes(Perspective(table.view(0))).exchange()
    assert isinstance(give, Exchange)
    table.play(give)
    assert table.carried("K", "(1,10)") == ["ACS"]


def test_an_article_that_the_primary_lacks_is_picked_up_for_it_and_handed_over() -> None:
    table = Table("B Q(4,4)", articles=["ACS(4,4)"]).move("DO", "(1,8)", "(1,7)")
    for kind in (PickUp, Exchange):
        action = ArticleWishes(Perspective(table.view(0))).next()
        assert isinstance(action, kind)
        table.play(action)
    assert table.carried("K", "(1,10)") == ["ACS"]


def test_an_article_of_little_use_is_dropped_for_something_better() -> None:
    table = Table("B FP[SC](4,4)", articles=["CS(4,4)"]).move("DO", "(1,8)", "(1,7)")
    for kind in (Drop, PickUp):
        action = ArticleWishes(Perspective(table.view(0))).next()
        assert isinstance(action, kind)
        table.play(action)
    assert table.carried("FP", "(4,4)") == ["CS"]


def test_a_weapon_is_handed_on_to_the_front() -> None:
    table = Table("B FP[CS](4,4)", "B TA>(5,4)", "W FP(6,5)").move("DO", "(1,8)", "(1,7)")
    holdings = Holdings(Perspective(table.view(0)))
    assert holdings.front(54) > holdings.front(3)
    give = ArticleWishes(Perspective(table.view(0))).exchange()
    assert isinstance(give, Exchange)
    table.play(give)
    assert table.carried("TA", "(5,4)") == ["CS"]


@pytest.mark.parametrize(("piece", "rides"), [("CP", True), ("FP", False), ("DO", False)])
def test_a_piece_that_can_harm_the_primary_rides_to_it(piece: str, rides: bool) -> None:
    table = Table(f"B {piece}[BI](6,4)").move("DO", "(1,8)", "(1,7)")
    assert (ArticleWishes(Perspective(table.view(0))).travel() is not None) == rides


def test_a_reinforcement_is_called() -> None:
    table = Table("B TA>(9,5)", "W FP(5,2)", reserves=True)
    assert any(isinstance(action, Reinforce) for action in played(table))
    assert table.there("(9,5)") == ["B Q"]


def test_a_slow_piece_rides_to_where_a_reinforcement_waits() -> None:
    table = Table("B RP[BI](5,5)", "B TA>(2,4)", reserves=True)
    table.move("TA", "(2,4)", "(3,4)")
    ride = ArticleWishes(Perspective(table.view(0))).travel()
    assert isinstance(ride, Travel)
    assert ride.square // 10 == 8
    table.play(ride)


def test_a_jet_in_the_air_is_chased() -> None:
    table = Table("B AAA(5,5)", "W JE(7,7) Air").move("DO", "(1,8)", "(1,7)")
    chase = think(table)
    assert chase == table.homing("AAA", "(5,5)", "SL", "JE", "(7,7) Air")


def test_a_plan_is_kept_through_the_turn() -> None:
    for seed in (1, 2) if SHARE >= 1 else (1,):
        position = wild_positions(Options(), seed, 90)[-1]
        while position.turn.mover and position.end == End.ON:
            position = rules.apply(position, position.active, EndTurn(), SEED).position
        table = Table()
        table.position = position
        assert len(played(table)) <= 8


def test_it_sees_its_view_only() -> None:
    """Two positions that look alike to a seat are one and the same request, and one and the same thought."""
    for number, position in enumerate(wild_positions(Options(dominance=Dominance.STEALTH), 4, 60)[::12]):
        if position.end != End.ON:
            continue
        seat = position.active
        for change in range(2):
            other = look_alike(position, seat, bytes([number, change]) * 16)
            views = [GAME.view(position, seat), GAME.view(other, seat)]
            payloads = {GAME.codec.encode(Wire.VIEW, view) for view in views}
            assert len(payloads) == 1
            thoughts = {WecPlayer(GAME, NORMAL).think(view, math.inf, 3) for view in views}
            assert len(thoughts) == 1


def test_the_same_request_has_the_same_answer() -> None:
    view = GAME.view(new(Options(), 2, None, SEED).position, 0)
    for strength in (EASY, NORMAL, STRONG) if SHARE >= 1 else (EASY, NORMAL):
        player = WecPlayer(GAME, strength)
        assert player.think(view, math.inf, 5) == player.think(view, math.inf, 5)


def test_a_review_lists_legal_actions_best_first() -> None:
    table = Table("B TA>(2,4)", "W Q(5,4)")
    advice = WecPlayer(GAME, STRONG).review(table.view(0), math.inf, 1)
    assert len(advice) > 10
    assert {one.action for one in advice} <= set(table.legal())
    assert [one.win_chance for one in advice] == sorted((one.win_chance for one in advice), reverse=True)
    assert advice[0].action == table.moving("TA", "(2,4)", "(5,4)")
    table.play(advice[0].action)
    assert {one.action for one in WecPlayer(GAME, STRONG).review(table.view(0), math.inf, 1)} <= set(table.legal())


@pytest.mark.parametrize("strength", [EASY, NORMAL, STRONG])
def test_when_time_is_over_it_still_acts(strength: int) -> None:
    for position in wild_positions(Options(), 9, 60)[::6]:
        view = GAME.view(position, position.active)
        if position.end == End.ON:
            assert WecPlayer(GAME, strength).think(view, time.monotonic() - 1, 1).action in rules.actions(view)


def test_a_seat_that_is_not_to_act_has_no_thought() -> None:
    position = new(Options(), 2, None, SEED).position
    for seat in (1, None):
        with pytest.raises(NothingToDo):
            WecPlayer(GAME, EASY).think(GAME.view(position, seat), math.inf, 1)


@pytest.mark.parametrize("options", [ALL_OPTIONS[1], *map(at_night, ALL_OPTIONS[2:])])
def test_it_plays_with_all_kinds_of_options_and_wins_against_chance(options: Options) -> None:
    hidden = options._replace(stealth_invisible=True, submerged_invisible=True)
    start = new(hidden, 2, None, SEED).position
    last = play(GAME, start, (WecPlayer(GAME, NORMAL), RandomPlayer(GAME)), 3, 900)
    assert last.winner == 0


def test_levels_are_those_of_the_facts() -> None:
    assert [level.strength for level in GAME.facts.levels] == [EASY, NORMAL, STRONG]
    assert {level.player for level in GAME.facts.levels} == {"wec"}


READINGS = [
    {"stun_effect": StunEffect.IMMOBILE},
    {"reinforcement_time": ReinforcementTime.ALSO_LATER},
    {"exchange_levels": ExchangeLevels.SAME},
    *({"reinforcements": amount, "weapons": amount, "xxx_boxes": amount} for amount in Amount if amount != Amount.NORMAL),
]
"""Points that the manual leaves open: each option with a value that is not its default."""


@pytest.mark.parametrize(
    "reading", READINGS, ids=lambda reading: ",".join(f"{key}={value.name}" for key, value in reading.items())
)
def test_levels_play_legal_games_under_every_reading_of_the_manual(reading: dict[str, Any]) -> None:
    now = new(Options(**reading), 2, None, SEED).position
    players = (WecPlayer(GAME, NORMAL), WecPlayer(GAME, EASY))
    while now.end == End.ON and now.ply < 60:
        action = players[now.active].think(GAME.view(now, now.active), math.inf, now.ply).action
        now = rules.apply(now, now.active, action, SEED).position


def test_a_stunned_piece_that_can_fire_is_reckoned_with() -> None:
    """Its Flame burns the primary in the next Turn: where it can fire, the primary goes away."""
    for effect, stays in ((StunEffect.HELPLESS, False), (StunEffect.IMMOBILE, True)):
        position = Table("W CP(2,9)", stun_effect=effect, **OPEN).position
        asleep = tuple(p._replace(stunned=6) if p.kind.name == "CONVERSION_PAWN" else p for p in position.pieces)
        picture = Picture(position._replace(pieces=asleep))
        assert loses(picture.kernel, 0) == stays


def test_a_reinforcement_is_called_in_a_later_turn_where_that_is_allowed() -> None:
    table = Table("B TA>(9,5)", "W FP(5,2)", reserves=True, reinforcement_time=ReinforcementTime.ALSO_LATER)
    table.move("TA", "(9,5)", "(8,5)").end().idle().move("DO", "(1,8)", "(1,7)")
    call = ArticleWishes(Perspective(table.view(0))).next()
    assert isinstance(call, Reinforce)
    table.play(call)
    assert table.there("(9,5)") == ["B Q"]
