"""Wins that take more than a Move and Fires: a weapon is picked up, handed over or carried to where it reaches the enemy primary.

A win found here is played out by the rules on a guess of the position before it is believed.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import move_execution, rules, turn_end
from brettwerk_games.rules.wec.actions import Action, Drop, EndTurn, Exchange, Fire, Move, PickUp
from brettwerk_games.rules.wec.board import DIRECTIONS, NEXT, OFF, SQUARES
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, PRIMARIES, Article
from brettwerk_games.rules.wec.options import Actions, ExchangeLevels
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece, carries
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.weapon_fire import MAX_FIRES
from brettwerk_games.rules.wec.weapons import battery

MAX_PLANS = 240
"""Plans that are played out for one action."""
MAX_MOVES = 8
"""Moves that are tried where a plan has none."""
_SEED = bytes(SEED_BYTES)
_ALWAYS = (Article.FLAME, Article.CONVERSION)


def finish(perspective: Perspective, guess: Position) -> Action | None:
    """Return the first action of a Turn that wins by what is carried or lies about, or None when none is found."""
    tried: set[tuple[Action, ...]] = set()
    for plan in islice(_plans(perspective), MAX_PLANS):
        if plan not in tried and _wins(guess, plan):
            return plan[0]
        tried.add(plan)
    return None


def _wins(guess: Position, plan: Iterable[Action]) -> bool:
    seat, now = guess.active, guess
    try:
        for action in plan:
            now = rules.apply(now, seat, action, _SEED).position
        if now.end == End.ON and now.active == seat and not turn_end.may_end(Perspective(view(now, seat))):
            steps = islice(move_execution.moves(Perspective(view(now, seat))), MAX_MOVES)
            return any(_ends_won(rules.apply(now, seat, step, _SEED).position, seat) for step in steps)
        return _ends_won(now, seat)
    except Illegal:
        return False


def _ends_won(now: Position, seat: int) -> bool:
    if now.end == End.ON:
        now = rules.apply(now, seat, EndTurn(), _SEED).position
    return now.winner == seat


def _plans(perspective: Perspective) -> Iterator[tuple[Action, ...]]:
    if perspective.turn.fires >= MAX_FIRES or perspective.options.actions == Actions.MOVES_ONLY:
        return
    own = [piece for piece in perspective.own() if not perspective.idle_reason(piece)]
    moves = [] if perspective.turn.mover else list(move_execution.moves(perspective))
    for target in perspective.view.pieces:
        if target.seat == perspective.seat or target.kind not in PRIMARIES:
            continue
        flying = (weapon for weapon, level in FLIGHT_LEVEL.items() if level == target.level)
        for weapon in (*_ALWAYS, *flying):
            yield from _with(perspective, own, moves, target, weapon)


def _with(
    perspective: Perspective, own: list[Piece], moves: list[Move], target: Piece, weapon: Article
) -> Iterator[tuple[Action, ...]]:
    spots = _spots(perspective, target, weapon)
    others = [Fire(p.id, weapon, spots[p.place]) for p in own if p.place in spots and _armed(perspective, p, weapon)]
    for piece in own:
        ways: list[tuple[int, tuple[Action, ...]]] = [(piece.place, ())]
        ways += [(move.place, (move,)) for move in moves if move.piece == piece.id]
        for place, before in ways:
            if place not in spots:
                continue
            there = [(*before, *way) for way in _armings(perspective, own, moves, piece, place, weapon, can_move=not before)]
            if before:
                there += [
                    (*way, *before) for way in _armings(perspective, own, moves, piece, piece.place, weapon, can_move=False)
                ]
            for arming in there:
                plan = (*arming, Fire(piece.id, weapon, spots[place]))
                yield plan
                if perspective.turn.fires == 0:
                    yield from ((*plan, other) for other in others if other.piece != piece.id)


def _spots(perspective: Perspective, target: Piece, weapon: Article) -> dict[int, int]:
    """Return the places from which a weapon reaches a piece, with the direction in which it is fired."""
    reach = perspective.options.flame_range if weapon == Article.FLAME else 1
    levels = [target.level] if weapon in _ALWAYS else [0, 1, 2]
    found = {}
    for direction in range(len(DIRECTIONS)):
        square = target.square
        for _ in range(reach):
            square = NEXT[square][len(DIRECTIONS) - 1 - direction]
            if square == OFF:
                break
            found.update({level * SQUARES + square: direction for level in levels})
    return found


def _armed(perspective: Perspective, piece: Piece, weapon: Article) -> bool:
    return battery(piece, weapon, perspective.ply, perspective.turn.spent).strength > 0


def _armings(
    perspective: Perspective, own: list[Piece], moves: list[Move], piece: Piece, place: int, weapon: Article, *, can_move: bool
) -> Iterator[tuple[Action, ...]]:
    """Yield how a piece that stands on a place comes to a weapon; the shortest ways first. Some of them may be illegal."""
    if _armed(perspective, piece, weapon):
        yield ()
    if not perspective.turn.picked and _lies(perspective, place, weapon):
        yield (PickUp(piece.id, weapon),)
        if not perspective.turn.dropped:
            yield from ((Drop(piece.id, carried.kind), PickUp(piece.id, weapon)) for carried in piece.articles)
    if perspective.turn.exchanged:
        return
    for giver in own:
        if giver.id == piece.id:
            continue
        gifts = list(_gifts(giver, piece, weapon))
        if any(article.kind == weapon and article.ready <= perspective.ply for article in giver.articles):
            yield from ((gift,) for gift in gifts)
            if can_move:
                near = [move for move in moves if move.piece == giver.id and _beside(perspective, move.place, place)]
                yield from ((move, gift) for move in near for gift in gifts)
        elif not perspective.turn.picked and not carries(giver, weapon) and _lies(perspective, giver.place, weapon):
            yield from ((PickUp(giver.id, weapon), gift) for gift in gifts)


def _lies(perspective: Perspective, place: int, weapon: Article) -> bool:
    return place < SQUARES and any(article.kind == weapon for article in perspective.view.ground[place])


def _beside(perspective: Perspective, one: int, other: int) -> bool:
    if one // SQUARES != other // SQUARES and perspective.options.exchange_levels == ExchangeLevels.SAME:
        return False
    return one % SQUARES == other % SQUARES or other % SQUARES in NEXT[one % SQUARES]


def _gifts(giver: Piece, piece: Piece, weapon: Article) -> Iterator[Exchange]:
    """Yield the Exchanges by which a weapon is given, for nothing or for an article; a swap names the lower id first."""
    yield Exchange(giver.id, weapon, piece.id, None)
    for back in {carried.kind for carried in piece.articles}:
        if giver.id < piece.id:
            yield Exchange(giver.id, weapon, piece.id, back)
        else:
            yield Exchange(piece.id, back, giver.id, weapon)
