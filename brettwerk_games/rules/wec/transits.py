"""Transport articles: routes, the Fire that starts a transit, and its stages (WEC-TRAN, WEC-RUL-32 to WEC-RUL-35)."""

from collections.abc import Iterator
from functools import cache

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import countdowns, notation_signs
from brettwerk_games.rules.wec.actions import Route, Travel
from brettwerk_games.rules.wec.board import GROUND, SIZE, SQUARES
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import CARRIES_IN, PRIMARIES, TRANSPORTS, TRAVEL_LEVEL, Article
from brettwerk_games.rules.wec.options import TransportStart
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece, Transit
from brettwerk_games.rules.wec.position import End
from brettwerk_games.rules.wec.weapon_fire import note_fire, require_fire
from brettwerk_games.rules.wec.working_copy import WorkingCopy


@cache
def route(source: int, target: int, way: Route) -> tuple[int, ...]:
    """Return the squares of a route, the target last (WEC-RUL-33)."""
    rows, columns = target // SIZE - source // SIZE, target % SIZE - source % SIZE
    long, short = max(abs(rows), abs(columns)), min(abs(rows), abs(columns))
    upright = abs(rows) >= abs(columns)
    down, across = (rows > 0) - (rows < 0), (columns > 0) - (columns < 0)
    # Left of the travel: turning from the straight line toward the short side is a turn to the left or to the right.
    straight = (down, 0) if upright else (0, across)
    aside = (0, across) if upright else (down, 0)
    leftward = straight[0] * -aside[1] + straight[1] * aside[0] > 0
    slants_first = leftward == (way == Route.PORT)
    found = []
    for step in range(1, long + 1):
        if way == Route.BEELINE:
            slants = (2 * step * short + long) // (2 * long)
        else:
            slants = min(step, short) if slants_first else max(0, step - (long - short))
        ahead, beside = (step, slants) if upright else (slants, step)
        found.append((source // SIZE + down * ahead) * SIZE + source % SIZE + across * beside)
    return tuple(found)


@cache
def routes(source: int, target: int) -> tuple[Route, ...]:
    """Return the routes to choose from: one where all are the same."""
    if len({route(source, target, way) for way in Route}) == 1:
        return (Route.BEELINE,)
    return tuple(Route)


def can_start(perspective: Perspective, field: Field, piece: Piece, transport: Article) -> str:
    """Return the rule by which a transport cannot be fired now, or an empty string (WEC-RUL-35)."""
    if transport not in TRANSPORTS or not any(article.kind == transport for article in piece.articles):
        return "WEC-FIRE-1"
    if piece.transit is not None or perspective.turn.mover == piece.id or perspective.stunned(piece):
        return "WEC-TRAN-2"
    if not any(article.kind == transport and article.ready <= perspective.ply for article in piece.articles):
        return "WEC-RUL-13"
    level = TRAVEL_LEVEL[transport]
    if level != GROUND and piece.kind in PRIMARIES and not perspective.options.king_may_leave_ground:
        return "WEC-OPT-23"
    if piece.level == GROUND:
        return ""
    if perspective.options.transport_start != TransportStart.ALSO_FROM_CARRIER or piece.level != level:
        return "WEC-TRAN-8"
    other = field.companion(piece)
    return "" if other is not None and CARRIES_IN.get(other.kind) == level else "WEC-TRAN-8"


def starts(perspective: Perspective, piece: Piece) -> list[Article]:
    """Return the transports that a piece that may fire can start with."""
    if not piece.articles:
        return []
    return [transport for transport in TRANSPORTS if not can_start(perspective, perspective.field, piece, transport)]


def travels(perspective: Perspective, piece: Piece) -> Iterator[Travel]:
    """Yield the transits that a piece that may fire can start: by transport, target and route."""
    for transport in starts(perspective, piece):
        for square in range(SQUARES):
            if square != piece.square:
                for way in routes(piece.square, square):
                    yield Travel(piece.id, transport, square, way)


@cache
def ways_from(source: int) -> int:
    """Return how many transits there are from a square with each transport."""
    return sum(len(routes(source, square)) for square in range(SQUARES) if square != source)


def require_legal(perspective: Perspective, action: Travel) -> None:
    """Raise Illegal with the rule that forbids a transit."""
    piece = require_fire(perspective, action.piece)
    rule = can_start(perspective, perspective.field, piece, action.transport)
    if rule:
        raise Illegal("the transport cannot be fired now", rule=rule)
    if action.square == piece.square or not 0 <= action.square < SQUARES:
        raise Illegal("a transit goes to a different square of the board", rule="WEC-RUL-33")
    if action.route not in routes(piece.square, action.square):
        raise Illegal("all routes there are the same as the beeline", rule="WEC-RUL-33")


def carry_out(work: WorkingCopy, action: Travel) -> None:
    """Start a transit; its first stage comes at the end of the Turn."""
    piece = work.field.pieces[action.piece]
    index = next(i for i, a in enumerate(piece.articles) if a.kind == action.transport and a.ready <= work.ply)
    used = piece.articles[index]._replace(ready=work.ply + 1)
    articles = (*piece.articles[:index], used, *piece.articles[index + 1 :])
    transit = Transit(action.transport, route(piece.square, action.square, action.route), work.next_number())
    work.field.put(piece._replace(articles=articles, transit=transit))
    note_fire(work, piece)


def advance(work: WorkingCopy) -> None:
    """Take every transit of the active player one stage further, in the order of their starting (WEC-RUL-2, E1)."""
    going = [piece for piece in work.field.pieces.values() if piece.transit is not None and piece.seat == work.active]
    for piece in sorted(going, key=lambda piece: piece.transit.started if piece.transit else 0):
        now = work.field.pieces.get(piece.id)
        if now is not None and now.transit is not None:
            _stage(work, now, now.transit)


def _stage(work: WorkingCopy, piece: Piece, transit: Transit) -> None:
    level = TRAVEL_LEVEL[transit.transport]
    rising = piece.level != level
    landing = not rising and not transit.left
    if rising:
        place = level * SQUARES + piece.square
    elif landing:
        place = piece.square
    else:
        place = level * SQUARES + transit.left[0]
    if not work.field.room_for(piece, place):
        if rising or level == GROUND:
            work.field.put(piece._replace(transit=None))
            notation_signs.report_arrival(work, piece)
        else:
            come_down(work, piece._replace(transit=None), notation_signs.CRASHED)
        return
    left = transit.left if rising or landing else transit.left[1:]
    done = landing or (level == GROUND and not left)
    notation_signs.report_shift(work, piece, place)
    moved = work.shift(piece._replace(transit=None if done else transit._replace(left=left)), place)
    if done:
        notation_signs.report_arrival(work, moved)


def come_down(work: WorkingCopy, piece: Piece, kill: str) -> bool:
    """Bring a piece to the Ground of its square, or destroy it where it cannot be (WEC-RUL-30, WEC-RUL-34). Tell if it lives."""
    if work.field.room_for(piece, piece.square):
        notation_signs.report_arrival(work, work.shift(piece, piece.square))
        return True
    notation_signs.report(work, kill, piece, countdowns.own_turns(work.ply, piece.stunned, piece.seat))
    work.field.put(piece)
    work.destroy(piece, End.DESTROYED)
    return False
