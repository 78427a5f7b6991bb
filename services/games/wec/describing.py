"""Pieces, places and results in the signs of the notation (WEC-NOTATION, WEC-RUL-52), and who may read a result (WEC-RUL-53)."""

from services.games.wec.board import BLACK, PLACES, SQUARES, name_of
from services.games.wec.draft import Draft
from services.games.wec.kinds import ARTICLE_CODES, NATURES, Article
from services.games.wec.pieces import Piece
from services.games.wec.position import EYES, SPECTATOR, Result

LEVEL_SIGNS = ("", "^", "v")
HAND_SIGNS = ("", "<", ">")
UNSEEN = "(?,?)"
PROJECTILE_CODES = {Article.ROCKET: "R", Article.SAM: "S", Article.TORPEDO: "T"}
KILL_CODES = {Article.FLAME: "FK", Article.ROCKET: "RK", Article.SAM: "SK", Article.TORPEDO: "TK"}
STUNNED, CONVERTED, STUN_KILL, CONVERSION_KILL, CRASHED, BUMPED = "ST", "CS", "STK", "CK", "XK", "BP"


_PLACES = tuple(LEVEL_SIGNS[place // SQUARES] + name_of(place % SQUARES) for place in range(PLACES))


def place_text(place: int) -> str:
    """Return a place with its level sign: ^(3,3)."""
    return _PLACES[place]


def piece_text(piece: Piece, *, seen: bool = True) -> str:
    """Return a piece as the notation describes it: type, level, place, articles, hand; the place is (?,?) when unseen."""
    if not seen:
        return _described(piece, UNSEEN)
    if not piece.text:
        piece.text = _described(piece, place_text(piece.place))
    return piece.text


def _described(piece: Piece, where: str) -> str:
    articles = "".join(ARTICLE_CODES[article.kind] for article in piece.articles)
    carried = f"{len(piece.articles)}{articles}" if articles else ""
    return f"{NATURES[piece.kind].code}{where}{carried}{HAND_SIGNS[piece.hand]}"


def colour(seat: int) -> str:
    """Return B or W."""
    return "B" if seat == BLACK else "W"


def sees(draft: Draft, eye: int, piece: Piece) -> bool:
    """Tell whether an eye sees a piece as it is in the draft."""
    if eye == SPECTATOR:
        return not draft.veiled(piece)
    return not draft.unseen_by(eye, piece)


def report(draft: Draft, code: str, piece: Piece, stun: int = 0, taker: Piece | None = None) -> None:
    """Record what happened to a piece: `FK*RP(6,4)0W`. Own losses always show; an unseen taker is written as `?`."""
    after = f"*{piece_text(piece)}{stun}{colour(piece.seat)}"
    texts = []
    for eye in EYES:
        witness = taker is not None and taker.seat == eye
        known = witness or sees(draft, eye, piece)
        by = code if taker is None or sees(draft, eye, taker) else "?"
        texts.append(by + after if known else "")
        if known and piece.seat == 1 - eye:
            draft.witnessed.add((eye, piece.id))
    draft.results.append(Result(code + after, (texts[0], texts[1], texts[2])))


def report_public(draft: Draft, text: str) -> None:
    """Record what everybody sees: the way of a projectile (WEC-RUL-61)."""
    draft.results.append(Result(text, (text, text, text)))


def report_shift(draft: Draft, before: Piece, place: int) -> None:
    """Record a step of a transit: where from, and by how much (a change of level is (0,0)); seen by whoever saw the piece."""
    rows = place % SQUARES // 10 - before.square // 10
    columns = place % SQUARES % 10 - before.square % 10
    _report_seen(draft, before, f"{NATURES[before.kind].code}->{place_text(before.place)}({rows},{columns})")


def report_arrival(draft: Draft, piece: Piece) -> None:
    """Record the end of a transit, or a fall."""
    _report_seen(draft, piece, f"{NATURES[piece.kind].code}v{place_text(piece.place)}")


def _report_seen(draft: Draft, piece: Piece, text: str) -> None:
    texts = [text if sees(draft, eye, piece) else "" for eye in EYES]
    draft.results.append(Result(text, (texts[0], texts[1], texts[2])))
