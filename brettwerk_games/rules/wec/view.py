"""The view of each eye of a position and of an event (WEC-OBS)."""

from functools import lru_cache

from brettwerk_games.rules.wec.actions import Acted, Ended, Event, Happened, Written
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.piece_numbers import renamed
from brettwerk_games.rules.wec.pieces import Piece, Transit
from brettwerk_games.rules.wec.position import (
    SPECTATOR,
    End,
    Item,
    Line,
    Memory,
    Position,
    Projectile,
    Reserve,
    Result,
    Turn,
    View,
)
from brettwerk_games.rules.wec.visibility import suspects

HISTORY_LENGTH = 8000
"""Characters of history that a view carries while the game is on, the newest: some eighty Turns, and one at least. The
earlier ones were told as events. After the end it has all."""
_NOTHING = ("", "", "")


def view(position: Position, seat: int | None) -> View:
    """Return what a seat may know, or a spectator (None): they see no piece that could be hidden from anybody.

    Once the game is over everybody sees everything, with the ids of the rules (WEC-OBS-16).
    """
    eye = SPECTATOR if seat is None else seat
    found = position.views.get(eye)
    if found is None and position.end != End.ON:
        found = position.views[eye] = _view_of_all(position, eye)
    if found is None:
        found = _view(position, eye)
        if position.names or position.called[eye]:
            found = renamed(found, position)
        else:
            found.field = position.field.seen(found.pieces)
        position.views[eye] = found
    return found


def _view(position: Position, eye: int) -> View:
    mine = eye == position.active and position.end == End.ON
    history = _history(position, eye)
    return View(
        eye=eye,
        options=position.options,
        pieces=_pieces(position, eye),
        ground=position.ground,
        ply=position.ply,
        projectiles=tuple(_flying(p, eye, rank, position.revision) for rank, p in enumerate(position.projectiles, 1)),
        reserves=_reserves(position.reserves, eye),
        turn=_turn(position.turn, eye) if mine else _turn_seen(position.turn, eye),
        memory=Memory() if eye == SPECTATOR else position.memory[eye],
        history=history,
        first_line=position.first_line + len(position.history) - len(history),
        idle=position.idle and eye == 1 - position.active,
        edited=position.edited,
        end=position.end,
        winner=position.winner,
    )


def _view_of_all(position: Position, eye: int) -> View:
    """Return everything: what is left to know when nothing can be done with it any more."""
    return View(
        eye=eye,
        options=position.options,
        pieces=tuple([piece._replace(revealed=0) if piece.revealed else piece for piece in position.pieces]),
        ground=position.ground,
        ply=position.ply,
        projectiles=tuple([p._replace(number=rank, known=0) for rank, p in enumerate(position.projectiles, 1)]),
        reserves=position.reserves,
        turn=Turn(),
        memory=Memory(),
        history=_history(position, eye),
        first_line=position.first_line,
        idle=False,
        edited=position.edited,
        end=position.end,
        winner=position.winner,
    )


def is_open(position: Position) -> bool:
    """Return whether all eyes see the same, and will: no piece can hide, and only Moves are played (WEC-OBS-14, WEC-RUL-50).

    The marks of Pawns and the losses follow from the game, unless the board was edited, and locks mean nothing where no piece can
    hide.
    """
    options = position.options
    if options.actions != Actions.MOVES_ONLY or options.stealth_invisible or options.submerged_invisible or position.edited:
        return False
    first, *others = [_common(view(position, seat)) for seat in (0, 1, None)]
    return all(other == first for other in others)


def _common(found: View) -> View:
    """Return a view without what is each eye's own in every game."""
    pieces = tuple(
        [
            piece._replace(origin=False, lock=0, articles=tuple([article._replace(lock=0) for article in piece.articles]))
            for piece in found.pieces
        ]
    )
    memory = found.memory._replace(gone=())
    return found._replace(eye=0, turn=Turn(), idle=False, pieces=pieces, memory=memory)


def _history(position: Position, eye: int) -> tuple[str, ...]:
    """Return what an eye is told of the history; where everybody reads everything, that is one value for all."""
    reader = eye if position.options.competitive and position.end == End.ON else SPECTATOR
    found = position.history_of.get(reader)
    if found is None:
        found = position.history_of[reader] = _history_of(position, reader)
    return found


def _history_of(position: Position, eye: int) -> tuple[str, ...]:
    options, end = position.options, position.end
    if end != End.ON:
        return tuple(readable(line, eye, options, end) for line in position.history)
    shown: list[str] = []
    left = HISTORY_LENGTH
    for line in reversed(position.history):
        text = readable(line, eye, options, end)
        left -= len(text)
        if left < 0 and shown:
            break
        shown.append(text)
    return tuple(reversed(shown))


def readable(line: Line, eye: int, options: Options, end: End) -> str:
    """Return a Turn's string as an eye may read it: in full, but for competitive games that are on (WEC-OBS-12)."""
    return line.texts[eye] if options.competitive and end == End.ON else line.full


def _pieces(position: Position, eye: int) -> tuple[Piece, ...]:
    """Return the visible pieces as they are shown; most are shown as they are, and that is found out first."""
    if eye == SPECTATOR:
        veiled = {piece.id for piece in suspects(position.pieces, position.options)}
        return tuple([piece if piece.is_open else _shown_to_others(piece) for piece in position.pieces if piece.id not in veiled])
    unseen = position.unseen
    found = [
        piece if piece.is_open or piece.seat == eye else _shown_to_others(piece)
        for piece in position.pieces
        if piece.id not in unseen or piece.seat == eye
    ]
    ids: set[int] | None = None
    for number, piece in enumerate(found):
        if not piece.is_open and piece.seat == eye:
            ids = ids or {one.id for one in found}
            found[number] = _shown(piece, ids)
    return tuple(found)


def _shown(piece: Piece, ids: set[int]) -> Piece:
    """Return a piece without what its own side may not know of it (WEC-OBS-13)."""
    if piece.lock and piece.lock not in ids:
        piece = piece._replace(lock=0)
    for article in piece.articles:
        if article.lock and article.lock not in ids:
            articles = tuple(a if a.lock in ids else a._replace(lock=0) for a in piece.articles)
            piece = piece._replace(articles=articles)
            break
    return piece._replace(revealed=0) if piece.revealed else piece


def _shown_to_others(piece: Piece) -> Piece:
    """Return a piece without what the other side may not know of it (WEC-OBS-2)."""
    found = piece.shown
    if found is None:
        articles = tuple(article._replace(lock=0) for article in piece.articles)
        transit = None if piece.transit is None else Transit(piece.transit.transport)
        found = piece.shown = piece._replace(articles=articles, origin=False, lock=0, revealed=0, transit=transit)
    return found


def _flying(projectile: Projectile, eye: int, rank: int, revision: int) -> Projectile:
    target = projectile.known if revision > 2 else projectile.target
    return projectile._replace(number=rank, target=target if projectile.seat == eye else 0, known=0)


@lru_cache(maxsize=1024)
def _reserves(reserves: tuple[Reserve, ...], eye: int) -> tuple[Reserve, ...]:
    others = {(reserve.seat, reserve.square) for reserve in reserves if reserve.seat != eye}
    mine = tuple(reserve for reserve in reserves if reserve.seat == eye)
    return mine + tuple(Reserve(0, seat, square, None) for seat, square in sorted(others))


def _turn(turn: Turn, eye: int) -> Turn:
    items = tuple(Item(item.letter, item.text, "", "") for item in turn.items)
    results = tuple(Result(result.texts[eye], _NOTHING) for result in turn.results if result.texts[eye])
    return turn._replace(hits=turn.believed, believed=(), emerged=(), items=items, results=results)


def _turn_seen(turn: Turn, eye: int) -> Turn:
    """Return what the others know of the running Turn: what was shown to them."""
    texts = [(item.letter, item.public if eye == SPECTATOR else item.other) for item in turn.items]
    items = tuple(Item(letter, text, "", "") for letter, text in texts if text)
    results = tuple(Result(result.texts[eye], _NOTHING) for result in turn.results if result.texts[eye])
    return Turn(items=items, results=results)


def show(event: Event, seat: int | None) -> Event | None:
    """Return an event as a seat or spectator may see it, or None."""
    eye = SPECTATOR if seat is None else seat
    if isinstance(event, Ended):
        return event
    text = event.texts[eye]
    if not text:
        return None
    only = tuple(text if other == eye else "" for other in range(3))
    texts = (only[0], only[1], only[2])
    match event:
        case Acted(seat=actor):
            return Acted(actor, texts)
        case Happened():
            return Happened(texts)
        case Written(ply=ply):
            return Written(ply, texts)
