"""A plausible position for a view: what the seat sees, with hidden enemies where they may be (for computer players)."""

from services.games.chance import Dice
from services.games.wec.board import GROUND, SQUARES, SUB, place_of
from services.games.wec.field import Field
from services.games.wec.kinds import CARRIES_IN, PRIMARIES, SECONDARIES, Article, Kind
from services.games.wec.options import Options
from services.games.wec.pieces import WHITE_IDS, Carried, Piece, Transit
from services.games.wec.position import SPECTATOR, Line, Memory, Position, Projectile, Reserve, View
from services.games.wec.seeing import elusive, hidden
from services.games.wec.start import standard_articles, standard_pieces, standard_reserves
from services.games.wec.view import view as view_of

TRIES = 30
"""How many places are tried for a hidden piece."""


def sample(view: View, seed: bytes) -> Position:
    """Return a position that looks like `view` to its eye; hidden enemies are guessed from the standard start and markers."""
    dice = Dice(seed, "sample")
    bare = _bare(view)
    if view.eye == SPECTATOR or view.winner is not None:
        return bare
    guess = _peopled(view, bare, dice)
    seat = view.eye
    return guess if view_of(guess, seat) == view else bare


def _bare(view: View) -> Position:
    """Return the position in which nothing is hidden but what the view itself leaves open."""
    pieces = tuple(_completed(piece, view) for piece in view.pieces)
    enemies = [piece for piece in pieces if piece.seat != view.eye]
    flying = tuple(_aimed(projectile, enemies, pieces) for projectile in view.projectiles)
    memory = (view.memory, Memory()) if view.eye == 0 else (Memory(), view.memory)
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
        memory=(Memory(), Memory()) if view.eye == SPECTATOR else memory,
        history=tuple(Line(text, (text, text, text)) if text else Line(text, blank) for text in view.history),
        first_line=view.first_line,
        idle=view.idle,
        edited=view.edited,
        end=view.end,
        winner=view.winner,
    )


def _completed(piece: Piece, view: View) -> Piece:
    """Return an enemy piece in transit with some journey: one square on, and down."""
    revealed = 0 if not elusive(piece, view.options) or piece.seat == view.eye else view.ply
    transit = piece.transit
    if transit is not None and not transit.left and piece.seat != view.eye:
        transit = Transit(transit.transport, (piece.square,) if piece.level == GROUND else (), transit.started)
    return piece._replace(transit=transit, revealed=revealed)


def _aimed(projectile: Projectile, enemies: list[Piece], pieces: tuple[Piece, ...]) -> Projectile:
    if not projectile.homing or projectile.target:
        return projectile
    others = [piece for piece in pieces if piece.seat != projectile.seat]
    near = min(others, key=lambda piece: abs(piece.square - projectile.square), default=None)
    return projectile._replace(target=near.id if near else 0)


def _reserves(view: View) -> tuple[Reserve, ...]:
    known = [reserve for reserve in view.reserves if reserve.kind is not None]
    options = view.options
    by_square = {(reserve.seat, reserve.square): reserve for reserve in standard_reserves(options, standard_pieces(options))}
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


def _candidates(view: View) -> list[Piece]:
    """Return the enemies that may be hidden: those of the standard start, or those with markers, that are not accounted for."""
    seen = {piece.id for piece in view.pieces} | set(view.memory.gone)
    marks = {mark.piece: mark for mark in view.memory.marks}
    found = {}
    if not view.edited:
        found = {piece.id: piece for piece in standard_pieces(view.options) if piece.seat != view.eye}
    for mark in marks.values():
        known = found.get(mark.piece, Piece(mark.piece, 1 - view.eye, mark.kind, mark.place))
        found[mark.piece] = known._replace(place=mark.place)
    return [found[number]._replace(origin=False) for number in sorted(found) if number not in seen]


def _missing(view: View) -> list[Article]:
    """Return the kinds of the articles that the view does not show, for a standard start."""
    if view.edited:
        return []
    stock = [article.kind for articles in standard_articles(view.options) for article in articles]
    for piece in view.pieces:
        for article in piece.articles:
            if article.kind in stock:
                stock.remove(article.kind)
    for articles in view.ground:
        for article in articles:
            if article.kind in stock:
                stock.remove(article.kind)
    return stock


def _peopled(view: View, bare: Position, dice: Dice) -> Position:
    field = Field(bare.pieces)
    stock = _missing(view)
    for piece in sorted(_candidates(view), key=lambda piece: piece.kind not in CARRIES_IN):
        carried = piece
        if Article.STEALTH in stock and not elusive(piece, view.options) and piece.kind not in (Kind.SUB, *PRIMARIES):
            carried = piece._replace(articles=(Carried(Article.STEALTH),))
        placed = _placed(field, carried, view.options, view.ply, dice)
        if placed is not None:
            field.put(placed)
            if carried is not piece:
                stock.remove(Article.STEALTH)
    return bare._replace(pieces=tuple(field.in_order()))


def _placed(field: Field, piece: Piece, options: Options, ply: int, dice: Dice) -> Piece | None:
    level = SUB if piece.kind == Kind.SUB or not elusive(piece, options) else GROUND
    places = [piece.place, *(place_of(dice.below(SQUARES), level) for _ in range(TRIES))]
    if piece.kind in SECONDARIES | PRIMARIES or level == SUB:
        places += [other.place for other in field.in_order() if other.kind == Kind.SUB and other.level == SUB]
    for place in places:
        there = piece._replace(place=place)
        if place in field.at and not field.room_for(there, place):
            continue
        field.put(there)
        fits = field.supported(there) and there.id in hidden(field.pieces.values(), options, ply)
        field.remove(there.id)
        if fits:
            return there
    return None
