"""Edited start positions: the checks and warnings of WEC-RUL-65, and how such a board becomes a game's first position."""

from typing import Any

from brettwerk_games.rules.interface import Text
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.board import DIRECTIONS, PLACES, SQUARES
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, NATURES, PAWNS, PRIMARIES, WEAPONS, Hand
from brettwerk_games.rules.wec.movement import ways
from brettwerk_games.rules.wec.options import FACTS, Options
from brettwerk_games.rules.wec.piece_numbers import first_called, first_names
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece, may_share, within_capacity
from brettwerk_games.rules.wec.position import REVISION, SPECTATOR, End, Position, Projectile, Reserve
from brettwerk_games.rules.wec.visibility import first_locks

MAX_ARTICLES = 200
"""Articles that a board has room for (WEC-ART-9)."""
MAX_PIECES = 300
"""Pieces of a side, reinforcements included."""
MAX_PROJECTILES = 40
"""Projectiles on an edited board, so that a Turn's string stays within its bound."""
CROWDED = 180
"""Articles from which an author is warned that those that fall may lie far away (WEC-EDIT-4)."""
RULE = "WEC-RUL-65"
_LONGEST_TURNS: dict[str, Any] = {
    key: most for key, (_, most) in FACTS.ranges.items() if key == "stun_duration" or key.startswith("fire_rate")
}
_LONGEST = Options(**_LONGEST_TURNS)
"""The longest stuns and countdowns that options can have."""


def checked(start: Position, options: Options, revision: int = REVISION) -> Position:
    """Return the first position of a game from an edited board, by a revision of the rules. Raises Illegal (WEC-RUL-65)."""
    if start.end != End.ON:
        raise Illegal("the board is from a game that has ended", rule=RULE)
    require_sound(start)
    return _fresh(start, options, revision)


def require_sound(start: Position) -> None:
    """Raise Illegal with the reason when no game can start from a board."""
    field = Field(start.pieces)
    for fault in (_pieces_fault(start, field), _articles_fault(start), _others_fault(start)):
        if fault:
            raise Illegal(fault, rule=RULE, details={"reason": fault})


def _pieces_fault(start: Position, field: Field) -> str:
    for seat in (0, 1):
        own = [piece for piece in start.pieces if piece.seat == seat]
        if len(own) + sum(reserve.seat == seat for reserve in start.reserves) > MAX_PIECES:
            return "a side has too many pieces"
    if len(field.pieces) < len(start.pieces):
        return "two pieces have one id"
    for place in field.at:
        there = field.on(place)
        if len(there) > 2:
            return "there are more than two pieces on a level of a square"
        if len(there) == 2 and (there[0].seat != there[1].seat or not may_share(*there)):
            return "two pieces that may not share a level stand on one"
    for piece in start.pieces:
        fault = _piece_fault(piece, field, start.ply)
        if fault:
            return fault
    return ""


def _piece_fault(piece: Piece, field: Field, ply: int) -> str:
    if not 0 <= piece.place < PLACES:
        return "a piece is off the board"
    if piece.transit is not None:
        return "a piece is in transit"
    if not within_capacity(piece.kind, piece.articles):
        return "a piece carries more than it can"
    if NATURES[piece.kind].handed != (piece.hand != Hand.NONE):
        return "Panzers, Clerics and Choppers have a hand, the others have none"
    if piece.origin and piece.kind not in PAWNS:
        return "only Pawns have an origin square"
    if not field.supported(piece):
        return "a piece is off the Ground without support"
    if _is_longer(piece, ply, _LONGEST):
        return "a stun or countdown is longer than any option has it"
    return ""


def _is_longer(piece: Piece, ply: int, options: Options) -> bool:
    """Tell whether a stun or a countdown of a piece is longer than options have it."""
    natural = NATURES[piece.kind].weapons
    rates = [options.fire_rate(natural[index]) if index < len(natural) else 0 for index in range(len(piece.ready))]
    return (
        piece.stunned > ply + 2 * options.stun_duration
        or any(ready > ply + 2 * rate for ready, rate in zip(piece.ready, rates, strict=True))
        or _are_longer(piece.articles, ply, options)
    )


def _are_longer(articles: tuple[Carried, ...], ply: int, options: Options) -> bool:
    return any(
        article.ready > ply + (2 * options.fire_rate(article.kind) if article.kind in WEAPONS else 0) for article in articles
    )


def _articles_fault(start: Position) -> str:
    total = sum(len(piece.articles) for piece in start.pieces)
    for articles in start.ground:
        if len(articles) > 2:
            return "there are more than two articles on a square"
        total += len(articles)
        if _are_longer(articles, start.ply, _LONGEST):
            return "a countdown is longer than any option has it"
    return "there are more than 200 articles" if total > MAX_ARTICLES else ""


def _others_fault(start: Position) -> str:
    waiting: dict[tuple[int, int], list[Reserve]] = {}
    for reserve in start.reserves:
        if reserve.kind is None or NATURES[reserve.kind].handed != (reserve.hand != Hand.NONE):
            return "a reinforcement is not told"
        waiting.setdefault((reserve.seat, reserve.square), []).append(reserve)
    for group in waiting.values():
        if len(group) > 2:
            return "more than two reinforcements wait at a square"
        if len(group) == 2 and any(reserve.hand != Hand.NONE for reserve in group):
            return "a handed reinforcement shares its square"
    if len(start.projectiles) > MAX_PROJECTILES:
        return "there are too many projectiles"
    for projectile in start.projectiles:
        if projectile.homing or projectile.target:
            return "a projectile is homing"
        if projectile.weapon not in FLIGHT_LEVEL or not 0 <= projectile.heading < len(DIRECTIONS):
            return "a projectile is none"
    return ""


def _fresh(start: Position, options: Options, revision: int) -> Position:
    base = (start.ply - 1) // 2 * 2
    pieces, reserves = _numbered(start)
    calm = [_rebased(piece, base) for piece in pieces]
    flying = tuple(
        Projectile(rank, p.weapon, p.seat, p.square, p.heading, p.strength, 0) for rank, p in enumerate(start.projectiles, 1)
    )
    first = Position(
        options,
        tuple(first_locks(calm, options, start.ply - base, revision)),
        tuple(tuple(_at_rest(article, base) for article in articles) for articles in start.ground),
        ply=start.ply - base,
        projectiles=flying,
        reserves=reserves,
        first_line=start.ply - base,
        edited=True,
        revision=revision,
    )
    if revision == 2:
        return first._replace(names=first_names(first))
    return first._replace(called=first_called(first)) if revision > 2 else first


def _numbered(start: Position) -> tuple[list[Piece], tuple[Reserve, ...]]:
    """Return pieces and reinforcements with their ids: by side, row and column as the side sees them (WEC-RUL-54)."""
    pieces: list[Piece] = []
    reserves: list[Reserve] = []
    for seat, base in ((0, 0), (1, WHITE_IDS)):
        own = sorted(
            (piece for piece in start.pieces if piece.seat == seat),
            key=lambda piece: (_seen_from(piece.square, piece.seat), piece.level, piece.id),
        )
        pieces += [piece._replace(id=base + number) for number, piece in enumerate(own, 1)]
        waiting = sorted(
            (reserve for reserve in start.reserves if reserve.seat == seat),
            key=lambda reserve: (reserve.square % 10, reserve.square, reserve.id),
        )
        reserves += [reserve._replace(id=base + len(own) + number) for number, reserve in enumerate(waiting, 1)]
    return pieces, tuple(reserves)


def _seen_from(square: int, seat: int) -> int:
    return square if seat == 0 else SQUARES - 1 - square


def _rebased(piece: Piece, base: int) -> Piece:
    return piece._replace(
        articles=tuple(_at_rest(article, base) for article in piece.articles),
        ready=(max(0, piece.ready[0] - base), max(0, piece.ready[1] - base)),
        stunned=max(0, piece.stunned - base),
        lock=0,
        revealed=0,
    )


def _at_rest(article: Carried, base: int) -> Carried:
    return Carried(article.kind, max(0, article.ready - base))


def warnings(start: Position, options: Options) -> tuple[str, ...]:
    """Return what the author of a board should know (WEC-EDIT-4), of each `seat` or of the board.

    These are `primaries.<seat>`, `no_primary.<seat>`, `stuck.<seat>`, `crowded`, and `long_countdowns`.
    """
    field = Field(start.pieces)
    found = []
    for seat in range(SPECTATOR):
        own = [piece for piece in start.pieces if piece.seat == seat]
        primaries = sum(piece.kind in PRIMARIES for piece in own)
        if primaries != 1:
            found.append(f"primaries.{seat}" if primaries else f"no_primary.{seat}")
        free = [piece for piece in own if piece.stunned < start.ply and piece.transit is None]
        if not any(ways(field, options, piece) or ways(field, options, piece, carry=True) for piece in free):
            found.append(f"stuck.{seat}")
    if sum(map(len, start.ground)) + sum(len(piece.articles) for piece in start.pieces) > CROWDED:
        found.append("crowded")
    lying = any(_are_longer(articles, start.ply, options) for articles in start.ground)
    if lying or any(_is_longer(piece, start.ply, options) for piece in start.pieces):
        found.append("long_countdowns")
    return tuple(found)


def start_warnings(position: Position) -> tuple[Text, ...]:
    """Return `warnings` of a first position as sentences."""
    return tuple(Text(f"warning.{warning}") for warning in warnings(position, position.options))
