"""The player of Weaponized Chess fires with a reason, keeps what is hidden hidden, and does not go round in circles."""

import math
import random
from collections import Counter
from collections.abc import Hashable

import pytest

from brettwerk_games.players.wec import EASY, NORMAL, STRONG, WecPlayer
from brettwerk_games.players.wec.measure.habits import has_reason
from brettwerk_games.players.wec.measure.starts import MOVES_ONLY, opening, starts
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Fire, Home, Move, Strike
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.repetition import TIMES, draw_votes
from tests.brettwerk_games.players.test_wec import wild_positions
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.night import by_day

LEVELS = (EASY, NORMAL, STRONG)


def stand(position: Position) -> Hashable:
    pieces = tuple((piece.id, piece.seat, piece.place, piece.articles) for piece in position.pieces)
    return position.active, pieces, position.ground


@pytest.mark.parametrize("strength", by_day(LEVELS, EASY))
def test_no_fire_without_a_reason(strength: int) -> None:
    """Positions with hidden pieces from wild games and prepared boards; the rest of the Turn is played on."""
    found = [
        position for seed in range(3) for position in wild_positions(Options(), seed, 130)[20 :: 24 if strength == STRONG else 8]
    ]
    for name in ("hunt_in_the_dark", "ambush", "sky_and_sea"):
        found += [opening(starts()[name], number, 6) for number in range(2 if strength == STRONG else 6)]
    fires = 0
    for position in found:
        player, now = WecPlayer(GAME, strength), position
        while now.end == End.ON and now.active == position.active:
            view = GAME.view(now, now.active)
            action = player.think(view, math.inf, 1).action
            fires += isinstance(action, (Fire, Home, Strike))
            assert has_reason(view, action), (position.ply, action)
            now = rules.apply(now, now.active, action, SEED).position
    assert fires > 3


@pytest.mark.parametrize(
    ("start", "strength"),
    by_day(
        [
            *((start, strength) for start in (MOVES_ONLY, "chess", "two_kings") for strength in (EASY, NORMAL)),
            ("two_kings", STRONG),
        ],
        (MOVES_ONLY, EASY),
    ),
)
def test_against_itself_no_position_comes_up_more_often_than_a_draw_is_offered_for(start: str, strength: int) -> None:
    """Both computers agree to a draw that one of them offers, so the game ends there in a session."""
    position = opening(starts()[start], 3, 2)
    players = (WecPlayer(GAME, strength), WecPlayer(GAME, strength))
    times: Counter[Hashable] = Counter()
    while position.end == End.ON and position.ply < 90:
        mover = position.active
        position = rules.apply(
            position, mover, players[mover].think(GAME.view(position, mover), math.inf, 1).action, SEED
        ).position
        if position.active != mover:
            times[stand(position)] += 1
            assert times[stand(position)] <= TIMES
            if draw_votes(position).offering:
                return


@pytest.mark.parametrize(("start", "seed"), by_day([(MOVES_ONLY, 2), ("chess", 2), ("chess", 3)], (MOVES_ONLY, 2)))
def test_it_gets_on_where_it_went_round(start: str, seed: int) -> None:
    """Games of two normal players in which a position once came up four times within 80 Turns."""
    position = opening(starts()[start], seed, 2)
    players = (WecPlayer(GAME, NORMAL), WecPlayer(GAME, NORMAL))
    times: Counter[Hashable] = Counter()
    while position.end == End.ON and position.ply < 80:
        mover = position.active
        action = players[mover].think(GAME.view(position, mover), math.inf, 1).action
        position = rules.apply(position, mover, action, SEED).position
        times[stand(position)] += position.active != mover
    assert max(times.values()) < TIMES


@pytest.mark.parametrize("strength", [EASY, NORMAL])
def test_it_does_not_run_into_a_hidden_piece_again_and_again(strength: int) -> None:
    """A bumped piece (WEC-RUL-27) stands where it stood, and the hidden piece is out of sight again in the next Turn."""
    position = Table("B AAA(4,2)", "W AAA(5,3)", "W DO(5,2)", "B DO(4,3)").position
    players = (WecPlayer(GAME, strength), WecPlayer(GAME, strength))
    bumps = 0
    while position.end == End.ON and position.ply < 40:
        mover = position.active
        action = players[mover].think(GAME.view(position, mover), math.inf, 1).action
        position = rules.apply(position, mover, action, SEED).position
        bumps += position.active != mover and "BP*" in position.history[-1][0]
    assert bumps <= 2 * TIMES


def to_and_fro(position: Position, number: int) -> Action:
    """The action of a person who only waits: a piece goes out and comes back."""
    view = GAME.view(position, position.active)
    if view.turn.mover:
        return EndTurn()
    moves = [action for action in rules.actions(view) if isinstance(action, Move)]
    dozers = [move for move in moves if view.field.pieces[move.piece].kind.name == "DOZER"]
    return random.Random(number).choice(dozers or moves)


@pytest.mark.parametrize("strength", LEVELS)
def test_a_player_far_ahead_wins_against_one_who_only_waits(strength: int) -> None:
    table = Table("B TA>(2,4)", "B Q(2,6)", "B CL>(1,3)", "W FP(8,2)", actions=3)
    player = WecPlayer(GAME, strength)
    position = table.position
    while position.end == End.ON and position.ply < 80:
        if position.active == 0:
            action = player.think(GAME.view(position, 0), math.inf, 1).action
        else:
            action = to_and_fro(position, position.ply)
        position = rules.apply(position, position.active, action, SEED).position
    assert position.winner == 0


def test_a_hidden_piece_does_not_give_itself_away_for_little() -> None:
    """An AAA that nobody sees lets a shot at a far Jet be; when it is seen anyway, it fires."""
    fired = {}
    for hidden in (True, False):
        table = Table("B AAA(3,3)", "W JE(9,3) Air", stealth_invisible=hidden).move("DO", "(1,8)", "(1,7)")
        action = WecPlayer(GAME, STRONG).think(table.view(0), math.inf, 1).action
        fired[hidden] = isinstance(action, Fire)
    assert fired == {True: False, False: True}


def test_it_fires_from_hiding_at_what_is_worth_it() -> None:
    table = Table("B AAA[FL](5,5)", "W Q(6,5)", "W FP(8,8)")
    done = []
    while table.position.active == 0 and table.position.end == End.ON:
        done.append(WecPlayer(GAME, STRONG).think(table.view(0), math.inf, 1).action)
        table.play(done[-1])
    assert any(isinstance(action, Fire) for action in done)
