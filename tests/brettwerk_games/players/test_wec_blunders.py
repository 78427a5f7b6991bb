"""Blunders seen of the player of Weaponized Chess that no person makes: kinds of positions, mirrored and for both colours."""

import math
from typing import Any

import pytest

from brettwerk_games.players.wec import EASY, NORMAL, STRONG, WecPlayer
from brettwerk_games.players.wec.articles import ArticleWishes
from brettwerk_games.players.wec.measure.starts import opening, starts
from brettwerk_games.players.wec.values import PIECE
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Fire, Move
from brettwerk_games.rules.wec.board import AIR, distance
from brettwerk_games.rules.wec.kinds import PRIMARIES, Article, Kind
from brettwerk_games.rules.wec.options import Government, Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import counters
from brettwerk_games.rules.wec.position import End, Position, Turn
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.weapons import battery, struck
from tests.brettwerk_games.rules.wec.boards import SEED, board, sq
from tests.brettwerk_games.rules.wec.symmetry import STAGES, Stage, turned
from tests.night import by_day

OPEN: dict[str, Any] = {"stealth_invisible": False, "submerged_invisible": False}
SMALL = [stage for stage in STAGES if not stage.full]
every_stage = pytest.mark.parametrize("stage", STAGES, ids=str)


def turn(position: Position, strength: int) -> Position:
    """Return the position after a whole Turn of a level."""
    player, ply, now = WecPlayer(GAME, strength), position.ply, position
    while now.ply == ply and now.end == End.ON:
        now = rules.apply(now, now.active, player.think(GAME.view(now, now.active), math.inf, 1).action, SEED).position
    return now


def moved_aside(position: Position) -> Position:
    """Return the position after a Move of no importance, so that the rest of the Turn is wanted."""
    moves = [action for action in GAME.actions(GAME.view(position, position.active)) if isinstance(action, Move)]
    aside = [move for move in moves if position.field.pieces[move.piece].kind == Kind.DOZER]
    return rules.apply(position, position.active, (aside or moves)[0], SEED).position


# Rides


@every_stage
@pytest.mark.parametrize(
    ("pieces", "rides"),
    [
        pytest.param(["B CP[BI](5,4)", "B RP(6,3)", "W FP(7,4)"], True, id="an own piece on the first square"),
        pytest.param(["B CP[BI](5,4)", "W FP(6,3)"], True, id="an enemy on the first square"),
        pytest.param(["B CP[BI](5,4)", "B RP(7,2)", "B FP(8,2)"], True, id="own pieces farther on"),
        pytest.param(["B CP[BI](6,5)", "B RP(7,4)", "B FP(7,5)", "B XP(6,4)"], False, id="own pieces on both ways out"),
        pytest.param(["B CP[JP](5,4)", "B JE(5,4) Air", "B XP(5,3)"], False, id="an own piece above"),
        pytest.param(["B CP[SC](5,4)", "B SU(6,3) Sub", "W SU(7,2) Sub"], True, id="an enemy below on the way"),
    ],
)
def test_a_ride_gets_where_it_goes_if_nobody_stirs(pieces: list[str], stage: Stage, *, rides: bool) -> None:
    position = moved_aside(stage.set_up(board(*pieces, **OPEN)))
    ride = ArticleWishes(Perspective(GAME.view(position, position.active))).travel()
    assert stage.full or rides == (ride is not None)
    if ride is None:
        return
    now = rules.apply(position, position.active, ride, SEED).position
    while now.field.pieces[ride.piece].transit is not None:
        now = rules.apply(now, now.active, EndTurn(), SEED).position
        now = now._replace(turn=Turn(mover=next(p.id for p in now.pieces if p.seat == now.active)))
    assert now.field.pieces[ride.piece].place == ride.square


# The primary's counter


@pytest.mark.parametrize("strength", [NORMAL, STRONG])
@pytest.mark.parametrize("stage", SMALL, ids=str)
@pytest.mark.parametrize(
    ("pieces", "government"),
    [
        (["B DI(1,10)", "B CP[ACS](2,9)", "B JE(3,8)", "W CL>[CS](5,7)", "W CL>[CS](4,6)"], Government.DICTATORSHIP),
        (["B DI(1,10)", "B CP[ACS](2,9)", "B JE(3,8)", "W CL>[CS](6,4)", "W CL>[CS](7,5)"], Government.DICTATORSHIP),
        (["B DI(1,10)", "B CP[ACS](2,9)", "B JE(3,10)", "W CL>[CS](4,6)", "W CL>[CS](6,6)"], Government.DICTATORSHIP),
        (["B DI(1,10)", "B CP[ACS](2,9)", "B TA>(2,8)", "W CL<[CS](4,7)", "W CL<[CS](6,3)"], Government.DICTATORSHIP),
    ],
)
def test_the_primary_has_its_counter_before_it_is_converted(
    pieces: list[str], government: Government, stage: Stage, strength: int
) -> None:
    around = ("W K(10,1)", "W DO(10,3)", "B DO(1,9)", "B DS(2,10)")
    position = stage.set_up(board(*around, *pieces, base=False, government_black=government, **OPEN))
    after = turn(turn(position, strength), STRONG)
    assert after.end == End.ON or after.winner == position.active


@pytest.mark.parametrize("stage", SMALL, ids=str)
@pytest.mark.parametrize(
    "pieces",
    [
        ["B K(1,5)", "B CP[ACS](2,4)", "W Q(5,7)", "W Q(4,4)", "W Q(3,6)", "W K(10,3)"],
        ["B K(1,5)", "B CP[ACS](1,6)", "W Q(6,2)", "W Q(3,5)", "W K(8,8)"],
        ["B K(1,2)", "B CP[ACS](1,1)", "W Q(4,6)", "W Q(6,7)", "W JE(10,9)", "W K(4,9)"],
    ],
)
def test_no_counter_changes_hands_where_the_loss_is_some_turns_off(pieces: list[str], stage: Stage) -> None:
    position = stage.set_up(board(*pieces, base=False, **OPEN))
    action = WecPlayer(GAME, STRONG).think(GAME.view(position, position.active), math.inf, 1).action
    assert isinstance(action, Move)


# An enemy among the own pieces


def balance(position: Position, seat: int) -> int:
    return sum(PIECE[p.kind] * (1 if p.seat == seat else -1) for p in position.pieces if p.kind not in PRIMARIES)


@every_stage
@pytest.mark.parametrize(
    "pieces",
    [
        ["B JE(4,8)", "B CL>(2,6)", "B DS(3,4)", "B SU(1,4)", "W Q(6,6)"],
        ["B JE(4,7)", "B CL>(2,9)", "B DS(3,7)", "B SU(2,5)", "W Q(4,9)"],
        ["B JE(2,5)", "B CL>(3,5)", "B DS(1,4)", "B SU(3,8)", "W Q(3,6)"],
        ["B JE(4,4)", "B CL>(3,5)", "B DS(2,7)", "B SU(1,4)", "W Q(5,5)"],
        ["B JE(2,4)", "B CL>(1,6)", "B DS(2,6)", "B SU(3,8)", "W Q(6,5)"],
    ],
)
def test_a_queen_among_the_own_pieces_is_not_sacrificed_for_a_small_gain(pieces: list[str], stage: Stage) -> None:
    """Each of these has a Turn after which the Queen's best answer wins nothing."""
    position = stage.set_up(board(*pieces, **OPEN))
    seat = position.active
    after = turn(turn(position, NORMAL), STRONG)
    assert balance(after, seat) >= balance(position, seat)


# In the air near launchers


def shown_to_launchers(position: Position, seat: int) -> int:
    """Count the pieces of a seat in Air that an enemy's SAM can home on now."""
    launchers = [p for p in position.pieces if p.seat != seat and p.stunned < position.ply]
    reach = position.options.homing_range
    return sum(
        any(
            battery(other, Article.SAM, position.ply, ()).strength > counters(piece, Article.SAM)
            and distance(other.square, piece.square) <= reach
            for other in launchers
        )
        for piece in position.pieces
        if piece.seat == seat and piece.level == AIR
    )


@pytest.mark.parametrize("stage", by_day(STAGES, Stage(), Stage(turned=True), Stage(full=True, mirrored=True)), ids=str)
@pytest.mark.parametrize(
    "pieces",
    [
        ["B CH>(5,9)", "B CP(5,9)", "W AAA(9,6)", "W DS(7,6)"],
        ["B CH>(3,5)", "B RP(3,5)", "W AAA(5,10)", "W STP(8,6)"],
        ["B CH>(4,9)", "B RP(4,9)", "W AAA(7,7)", "W DS(6,4)"],
        ["B CH>(3,4)", "B FP(3,4)", "W AAA(8,1)", "W STP(7,4)"],
        ["B CH>(5,9)", "B RP(5,9)", "W AAA(5,10)", "W STP(7,7)"],
        ["B CH>(5,5)", "B FP(5,5)", "W AAA(8,9)", "W DS(9,6)"],
    ],
)
def test_no_flight_ends_where_a_sam_can_home_on_it(pieces: list[str], stage: Stage) -> None:
    position = stage.set_up(board(*pieces, **OPEN))
    seat = position.active
    assert shown_to_launchers(turn(position, STRONG), seat) <= shown_to_launchers(position, seat)


@pytest.mark.nightly
@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(("chopper", "passenger", "where"), [(5, 23, "(5,2)"), (5, 17, "(5,2)"), (9, 23, "(4,10)")])
def test_nor_one_near_where_launchers_that_were_never_seen_began(
    chopper: int, passenger: int, where: str, *, is_turned: bool
) -> None:
    """From the start, whose AAAs are hidden, with a Chopper and a passenger on their way."""
    start = new(Options(), 2, None, SEED).position
    square = sq(where)
    pieces = sorted(p._replace(place=square, origin=False) if p.id in (chopper, passenger) else p for p in start.pieces)
    position = start._replace(pieces=tuple(pieces))
    position = turned(position) if is_turned else position
    seat = position.active
    assert shown_to_launchers(turn(position, STRONG), seat) == 0


# Stuns


def only_sleepers(position: Position, action: Action) -> bool:
    """Tell whether a Fire is a Stun that hits nobody but enemies who are asleep."""
    if not isinstance(action, Fire) or action.weapon != Article.STUN:
        return False
    piece = position.field.pieces[action.piece]
    hit = [position.field.pieces[n] for n in struck(position.field, position.options, piece, action.weapon, action.direction)]
    return all(other.seat != piece.seat and other.stunned >= position.ply for other in hit)


@pytest.mark.parametrize("strength", [EASY, NORMAL, STRONG])
@pytest.mark.parametrize("stage", SMALL, ids=str)
@pytest.mark.parametrize(
    ("pieces", "sleeper"),
    [
        (["B STP(3,3)", "B FP(2,3)", "W TA>(6,6)", "W FP(8,8)"], "(6,6)"),
        (["B CH>(3,3)", "B FP(2,6)", "W Q(3,8)", "W FP(8,8)"], "(3,8)"),
        (["B STP(5,5)", "B STP(2,9)", "W CL>(5,9)", "W RP(2,5)"], "(5,9)"),
    ],
)
def test_a_piece_that_sleeps_through_this_turn_is_not_stunned_again(
    pieces: list[str], sleeper: str, stage: Stage, strength: int
) -> None:
    position = board(*pieces, **OPEN)
    asleep = tuple(p._replace(stunned=position.ply) if p.place == sq(sleeper) and p.seat else p for p in position.pieces)
    now = stage.set_up(position._replace(pieces=asleep))
    seat, ply, player = now.active, now.ply, WecPlayer(GAME, strength)
    while now.ply == ply and now.end == End.ON:
        action = player.think(GAME.view(now, seat), math.inf, 1).action
        assert not only_sleepers(now, action)
        now = rules.apply(now, seat, action, SEED).position


@pytest.mark.nightly
def test_sleep_seldom_lasts_more_than_twelve_turns() -> None:
    """Full games of normal against itself: a stun lasts for three Turns, and most pieces wake up for one after it."""
    longest = []
    for number in (300, 301, 303):
        now, player = opening(starts()["usual"], number, 2), WecPlayer(GAME, NORMAL)
        ply, asleep = now.ply, dict.fromkeys((p.id for p in now.pieces), 0)
        while GAME.to_act(now) and now.ply < 120:
            now = rules.apply(now, now.active, player.think(GAME.view(now, now.active), math.inf, 1).action, SEED).position
            if now.ply > ply:
                ply = now.ply
                for piece in now.pieces:
                    longest.append(asleep.get(piece.id, 0))
                    asleep[piece.id] = asleep.get(piece.id, 0) + 1 if piece.stunned >= ply else 0
    assert sum(length > 12 for length in longest) <= len(longest) // 1000
