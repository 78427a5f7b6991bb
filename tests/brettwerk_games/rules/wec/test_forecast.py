"""The effects that are listed with actions, compared with what happens: in thousands of random actions, and case by case."""

import random
from collections import Counter
from typing import Any

import pytest

from brettwerk_games.rules.interface import Effect
from brettwerk_games.rules.wec import rules, transits
from brettwerk_games.rules.wec.actions import Action, Doze, Exchange, Fire, Move, Travel
from brettwerk_games.rules.wec.board import AIR, GROUND, SUB
from brettwerk_games.rules.wec.forecast import effects
from brettwerk_games.rules.wec.kinds import TRANSPORTS, TRAVEL_LEVEL, Article
from brettwerk_games.rules.wec.options import Options, TransportStart
from brettwerk_games.rules.wec.pieces import Carried, Piece
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.scene import choices
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.working_copy import WorkingCopy
from tests.brettwerk_games.rules.wec.boards import SEED, Table, at, sq
from tests.brettwerk_games.rules.wec.random_games import play
from tests.night import by_day

OPEN: dict[str, Any] = {"stealth_invisible": False, "submerged_invisible": False}
ENDS = {GROUND: Effect.ON_GROUND, AIR: Effect.IN_AIR, SUB: Effect.UNDER_WATER}
CHANGES = {
    (GROUND, AIR): Effect.TAKES_OFF,
    (AIR, GROUND): Effect.LANDS,
    (GROUND, SUB): Effect.DIVES,
    (SUB, GROUND): Effect.SURFACES,
}


def changed(before: Piece, level: int) -> set[Effect]:
    return {CHANGES[before.level, level]} if before.level != level else set()


def happens(position: Position, action: Action) -> set[Effect]:
    """Return what an action does: of a transit, if nothing else moves until its end."""
    after = rules.apply(position, position.active, action, SEED).position
    if isinstance(action, Move):
        before, now = (next(piece for piece in each.pieces if piece.id == action.piece) for each in (position, after))
        takes = len(after.pieces) < len(position.pieces)
        return changed(before, now.level) | {ENDS[now.level]} | ({Effect.TAKES} if takes else set())
    if isinstance(action, Doze):
        return {Effect.ON_GROUND}
    return flown(after, action) if isinstance(action, Travel) else set()


def flown(position: Position, action: Travel) -> set[Effect]:
    """Take a transit to its end, stage by stage, and return what became of it."""
    work = WorkingCopy(position)
    before = work.field.pieces[action.piece]
    for other in list(work.field.pieces.values()):
        if other.id != action.piece:
            work.field.put(other._replace(transit=None))
    found: set[Effect] = set()
    for stage in range(30):
        transits.advance(work)
        now = work.field.pieces.get(action.piece)
        if now is None:
            found.add(Effect.CRASHES)
        if stage == 0:
            if now is None or (now.transit is None and now.square == before.square):
                found.add(Effect.BLOCKED)
            elif before.level != TRAVEL_LEVEL[action.transport]:
                found |= changed(before, now.level)
        if now is None or now.transit is None:
            break
    else:
        raise AssertionError("a transit has no end")
    return found if now is None or Effect.BLOCKED in found else found | {ENDS[now.level]}


def armed(position: Position, rng: random.Random) -> Position:
    """Return the position in which some pieces of the active side carry a transport."""
    pieces = list(position.pieces)
    for index in rng.sample(range(len(pieces)), min(4, len(pieces))):
        piece = pieces[index]
        if piece.seat == position.active and not piece.articles:
            pieces[index] = piece._replace(articles=(Carried(rng.choice(TRANSPORTS)),))
    return position._replace(pieces=tuple(pieces))


@pytest.mark.parametrize("number", by_day(range(10), 0, 3))
def test_listed_effects_are_those_of_a_thousand_random_actions(number: int) -> None:
    rng, tried, met = random.Random(number), 0, Counter[Effect]()
    start = TransportStart.ALSO_FROM_CARRIER if number % 2 else TransportStart.GROUND_ONLY
    options = Options(**OPEN, transport_start=start, king_may_leave_ground=number % 3 > 0)
    while tried < 1000:
        for position in play(rng.randrange(10**6), options, most=120):
            if tried >= 1000 or position.end != End.ON or rng.random() > 0.2:
                continue
            now = armed(position, rng)
            seen = view(now, now.active)
            listed = list(rules.actions(seen))
            kinds = {type(action) for action in listed}
            for kind in kinds & {Move, Travel}:
                of_kind = [action for action in listed if isinstance(action, kind)]
                picked = rng.sample(of_kind, min(6, len(of_kind)))
                for action, (choice, _) in zip(picked, choices(seen, picked), strict=True):
                    assert set(choice.effects) == happens(now, action), (action, choice)
                    assert choice.effects == effects(seen.field, action) == tuple(sorted(choice.effects))
                    met.update(choice.effects)
                    tried += 1
    assert set(met) >= {Effect.TAKES, Effect.TAKES_OFF, Effect.DIVES, Effect.ON_GROUND, Effect.CRASHES, Effect.BLOCKED}


def listed_effects(table: Table, action: Action) -> tuple[Effect, ...]:
    """Return the effects that are listed with a legal action of the seat to act."""
    seen = table.view(table.position.active)
    assert action in rules.actions(seen)
    return next(choices(seen, [action]))[0].effects


@pytest.mark.parametrize(
    ("code", "transport", "rises"),
    [("JP", Article.JUMP_PACK, Effect.TAKES_OFF), ("SC", Article.SCUBA, Effect.DIVES)],
)
def test_a_landing_on_an_enemy_takes_nothing_and_destroys_who_lands(code: str, transport: Article, rises: Effect) -> None:
    table = Table(f"B TA>[{code}](5,5)", "W K(7,5)")
    panzer = table.find("TA", "(5,5)").id
    assert listed_effects(table, Travel(panzer, transport, sq("(7,5)"))) == (Effect.CRASHES, rises)
    assert listed_effects(table, Travel(panzer, transport, sq("(7,8)"))) == (rises, Effect.ON_GROUND)


def test_a_bike_stops_before_an_enemy_and_does_not_start_towards_a_square_that_is_blocked() -> None:
    table = Table("B FP[BI](5,5)", "B RP(6,5)", "W K(5,8)")
    pawn = table.find("FP", "(5,5)").id
    assert listed_effects(table, Travel(pawn, Article.BIKE, sq("(7,5)"))) == (Effect.BLOCKED,)
    assert listed_effects(table, Travel(pawn, Article.BIKE, sq("(5,8)"))) == (Effect.ON_GROUND,)


def test_a_ride_ends_on_the_level_that_the_carrier_goes_to() -> None:
    table = Table("B CH>(4,4)", "B JE(4,4)")
    chopper = table.find("CH", "(4,4)").id
    for carry in (False, True):
        assert listed_effects(table, Move(chopper, at("(6,5) Air"), carry)) == (Effect.TAKES_OFF, Effect.IN_AIR)
        assert listed_effects(table, Move(chopper, at("(6,5)"), carry)) == (Effect.ON_GROUND,)


def test_only_a_move_takes() -> None:
    table = Table("B TA>(5,5)", "B FP[ST](5,4)", "W STP(6,5)", **OPEN)
    seen = table.view(0)
    legal = list(rules.actions(seen))
    for action, (choice, _) in zip(legal, choices(seen, legal), strict=True):
        assert (Effect.TAKES in choice.effects) == (isinstance(action, Move) and action.place == at("(6,5)"))
        assert isinstance(action, (Move, Doze, Travel)) or choice.effects == ()
    assert any(isinstance(action, Fire) for action in legal) and any(isinstance(action, Exchange) for action in legal)


def test_the_effects_tell_nothing_of_what_is_hidden() -> None:
    """The AAA is stealthy: whoever does not see it is told what the board without it would have."""
    for pieces in (("B TA>(5,5)",), ("B TA>(5,5)", "W AAA(6,5)")):
        table = Table(*pieces)
        step = Move(table.find("TA", "(5,5)").id, at("(6,5)"))
        assert listed_effects(table, step) == (Effect.ON_GROUND,)
    seen = Table("B TA>(5,5)", "W AAA(6,5)", **OPEN)
    assert listed_effects(seen, Move(seen.find("TA", "(5,5)").id, at("(6,5)"))) == (Effect.TAKES, Effect.ON_GROUND)
