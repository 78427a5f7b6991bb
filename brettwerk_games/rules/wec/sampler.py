"""A plausible position for a view: what the seat sees, with hidden enemies where they may be (for computer players)."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.wec.board import GROUND, SQUARES, SUB, distance, place_of
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import CARRIES_IN, NATURES, PRIMARIES, Article, Hand, Kind
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import (
    WHITE_IDS,
    Carried,
    Piece,
    Transit,
    detects_stealth,
    detects_submerged,
    self_supporting,
    within_capacity,
)
from brettwerk_games.rules.wec.position import SPECTATOR, End, Line, Memory, Position, Projectile, Reserve, View
from brettwerk_games.rules.wec.start import standard_articles, standard_pieces, standard_reserves
from brettwerk_games.rules.wec.view import view as view_of
from brettwerk_games.rules.wec.visibility import elusive, hidden

MAX_ATTEMPTS = 12
"""How many places near where it was last are tried for a hidden piece, and then anywhere."""
NEAR = 3
"""Squares that a hidden piece is thought to have gone."""


def sample(view: View, seed: bytes) -> Position:
    """Return a position that looks like `view` to its eye; hidden enemies are guessed from the standard start and markers."""
    dice = Dice(seed, "sample")
    bare = _bare(view)
    if view.eye == SPECTATOR or view.end != End.ON:
        return bare
    guess = _peopled(view, bare, dice)
    seat = view.eye
    return guess if view_of(guess, seat) == view else bare


def _bare(view: View) -> Position:
    """Return the position in which nothing is hidden but what the view itself leaves open."""
    pieces = tuple(_completed(piece, view) for piece in view.pieces)
    enemies = [piece for piece in pieces if piece.seat != view.eye]
    flying = tuple(_aimed(projectile, enemies, pieces) for projectile in view.projectiles)
    memory = (view.memory, Memory(), Memory()) if view.eye == 0 else (Memory(), view.memory, Memory())
    blank = ("", "", "")
    return Position(
        options=view.options,
        pieces=pieces,
        ground=view.ground,
        ply=view.ply,
        projectiles=flying,
        reserves=_reserves(view),
        turn=view.turn._replace(
            believed=view.turn.hits,
            items=tuple(item._replace(other=item.text, public=item.text) for item in view.turn.items),
            results=tuple(r._replace(texts=(r.full, r.full, r.full)) for r in view.turn.results),
        ),
        memory=(Memory(), Memory(), Memory()) if view.eye == SPECTATOR else memory,
        history=tuple(Line(text, (text, text, text)) if text else Line(text, blank) for text in view.history),
        first_line=view.first_line,
        idle=view.idle,
        edited=view.edited,
        end=view.end,
        winner=view.winner,
    )


def _completed(piece: Piece, view: View) -> Piece:
    """Return an enemy piece in transit with some journey: one square on, and down. An exposed piece is seen (WEC-RUL-45)."""
    revealed = 0 if not elusive(piece, view.options) or piece.seat == view.eye else view.ply
    if piece.id in view.turn.exposed and elusive(piece, view.options):
        revealed = view.ply + 1
    transit = piece.transit
    if transit is not None and not transit.left and piece.seat != view.eye:
        transit = Transit(transit.transport, (piece.square,) if piece.level == GROUND else (), transit.started)
    return piece._replace(transit=transit, revealed=revealed)


def _aimed(projectile: Projectile, enemies: list[Piece], pieces: tuple[Piece, ...]) -> Projectile:
    if not projectile.homing or projectile.target:
        return projectile._replace(known=projectile.target)
    others = [piece for piece in pieces if piece.seat != projectile.seat]
    near = min(others, key=lambda piece: abs(piece.square - projectile.square), default=None)
    return projectile._replace(target=near.id if near else 0)


def _reserves(view: View) -> tuple[Reserve, ...]:
    known = [reserve for reserve in view.reserves if reserve.kind is not None]
    by_square = {(reserve.seat, reserve.square): reserve for reserve in _standard(view.options).reserves}
    used = {piece.id for piece in view.pieces} | {reserve.id for reserve in known}
    spare = WHITE_IDS + 900
    for reserve in view.reserves:
        if reserve.kind is None:
            spare += 1
            guess = by_square.get((reserve.seat, reserve.square))
            if guess is None or view.edited or guess.id in used:
                number = spare if reserve.seat else spare - WHITE_IDS
                guess = Reserve(number, reserve.seat, reserve.square, Kind.DOZER)
            known.append(guess)
    return tuple(sorted(known))


class _Standard(NamedTuple):
    """The pieces of a standard start."""

    pieces: tuple[Piece, ...]
    reserves: tuple[Reserve, ...]
    articles: tuple[Article, ...]


@lru_cache(maxsize=32)
def _standard(options: Options) -> _Standard:
    pieces = standard_pieces(options)
    lying = tuple(article.kind for articles in standard_articles(options) for article in articles)
    return _Standard(tuple(pieces), standard_reserves(options, pieces), lying)


def _candidates(view: View) -> list[Piece]:
    """Return the enemies that may be hidden: those of the standard start, or those with markers, that are not accounted for.

    Each stands where it was seen last, or where it began. A reinforcement whose square has gone has come.
    """
    seen = {piece.id for piece in view.pieces} | set(view.memory.gone)
    found: dict[int, Piece] = {}
    if not view.edited:
        start = _standard(view.options)
        waiting = {reserve.square for reserve in view.reserves if reserve.seat != view.eye}
        found = {piece.id: piece for piece in start.pieces if piece.seat != view.eye}
        for reserve in start.reserves:
            if reserve.seat != view.eye and reserve.square not in waiting and reserve.kind is not None:
                found[reserve.id] = Piece(reserve.id, reserve.seat, reserve.kind, reserve.square, reserve.hand)
    for mark in view.memory.marks:
        known = found.get(mark.piece, Piece(mark.piece, 1 - view.eye, mark.kind, mark.place, mark.hand or _hand(mark.kind)))
        found[mark.piece] = known._replace(place=mark.place)
    return [found[number]._replace(origin=False) for number in sorted(found) if number not in seen]


def _hand(kind: Kind) -> Hand:
    return Hand.RIGHT if NATURES[kind].handed else Hand.NONE


def _missing(view: View) -> list[Article]:
    """Return the articles of a standard start that the view does not show: no article is ever lost (WEC-GAME-7)."""
    if view.edited:
        return []
    stock = Counter(_standard(view.options).articles)
    stock.subtract(article.kind for piece in view.pieces for article in piece.articles)
    stock.subtract(article.kind for articles in view.ground for article in articles)
    return sorted(stock.elements())


def _peopled(view: View, bare: Position, dice: Dice) -> Position:
    """Return the position with the hidden enemies in it, and with what is missing in their hands."""
    candidates = _candidates(view)
    if not candidates:
        return bare
    field = Field(bare.pieces)
    watchers = tuple(piece for piece in bare.pieces if piece.seat == view.eye and _watches(piece))
    stock = list(dice.shuffled(_missing(view)))
    placed: list[int] = []
    for piece in sorted(candidates, key=lambda piece: (piece.kind not in CARRIES_IN, not elusive(piece, view.options))):
        for guise in _guises(piece, stock, view.options):
            there = _placed(field, guise, watchers, view, dice)
            if there is not None:
                field.put(there)
                placed.append(there.id)
                for article in there.articles:
                    stock.remove(article.kind)
                break
    for kind in sorted(stock, key=lambda kind: kind != Article.XXX):
        _hand_out(field, placed, kind, watchers, view, dice)
    return bare._replace(pieces=tuple(field.in_order()))


def _watches(piece: Piece) -> bool:
    return bool(piece.lock) or detects_stealth(piece) or detects_submerged(piece) or any(a.lock for a in piece.articles)


def _guises(piece: Piece, stock: list[Article], options: Options) -> Iterator[Piece]:
    """Yield ways in which a piece can be out of sight: by nature, below, with Stealth, as a diver, as a passenger below."""
    ground, below = place_of(piece.square, GROUND), place_of(piece.square, SUB)
    if piece.kind == Kind.SUB:
        yield piece._replace(place=below)
    if elusive(piece._replace(place=ground), options):
        yield piece._replace(place=ground)
    if Article.STEALTH in stock and (options.king_may_be_stealthy or piece.kind not in PRIMARIES):
        yield piece._replace(place=ground, articles=(Carried(Article.STEALTH),))
    if Article.SCUBA in stock and (options.king_may_leave_ground or piece.kind not in PRIMARIES):
        transit = Transit(Article.SCUBA, (piece.square,))
        yield piece._replace(place=below, articles=(Carried(Article.SCUBA),), transit=transit)
    yield piece._replace(place=below)


def _placed(field: Field, piece: Piece, watchers: tuple[Piece, ...], view: View, dice: Dice) -> Piece | None:
    """Return the piece on a place where it can be and is not seen: where it was last, near there, or anywhere."""
    level = piece.level
    if level == SUB and not self_supporting(piece):
        places = [other.place for other in field.in_order() if other.kind == Kind.SUB and other.level == SUB]
    else:
        near = [square for square in range(SQUARES) if 0 < distance(square, piece.square) <= NEAR]
        squares = [
            piece.square,
            *(near[dice.below(len(near))] for _ in range(MAX_ATTEMPTS)),
            *(dice.below(SQUARES) for _ in range(MAX_ATTEMPTS)),
        ]
        places = [place_of(square, level) for square in squares]
    for place in places:
        there = piece._replace(place=place)
        if field.room_for(there, place) and _unseen(there, watchers, view):
            if self_supporting(there):
                return there
            if sum(other.seat == there.seat for other in field.on(place)) == 1:
                return there
    return None


def _unseen(piece: Piece, watchers: tuple[Piece, ...], view: View) -> bool:
    return piece.id in hidden((piece, *watchers), view.options, view.ply)


def _hand_out(field: Field, placed: list[int], kind: Article, watchers: tuple[Piece, ...], view: View, dice: Dice) -> None:
    """Give an article to a hidden piece that can carry it; where nobody can, it is left out of the guess."""
    for number in dice.shuffled(placed):
        piece = field.pieces[number]
        laden = piece._replace(articles=(*piece.articles, Carried(kind)))
        forbidden = kind == Article.STEALTH and piece.kind in PRIMARIES and not view.options.king_may_be_stealthy
        if not forbidden and within_capacity(piece.kind, laden.articles) and _unseen(laden, watchers, view):
            field.put(laden)
            return
