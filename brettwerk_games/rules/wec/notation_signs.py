"""Pieces, places and results in the signs of the notation (WEC-NOTATION, WEC-RUL-52), and what a step notes of its results."""

from brettwerk_games.rules.wec.board import BLACK, PLACES, SQUARES, name_of
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Article
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import SPECTATOR
from brettwerk_games.rules.wec.reports import Affected, Arrived, Public, Shifted
from brettwerk_games.rules.wec.working_copy import WorkingCopy

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


def outcome_text(piece: Piece, stun: int) -> str:
    """Return what follows the code of something that befell a piece: `*RP(6,4)0W`, the stun and the colour behind it."""
    return f"*{piece_text(piece)}{stun}{colour(piece.seat)}"


def shift_text(before: Piece, place: int) -> str:
    """Return a step of a transit: where from, and by how much (a change of level is (0,0))."""
    rows = place % SQUARES // 10 - before.square // 10
    columns = place % SQUARES % 10 - before.square % 10
    return f"{NATURES[before.kind].code}->{place_text(before.place)}({rows},{columns})"


def report(work: WorkingCopy, code: str, piece: Piece, stun: int = 0, taker: Piece | None = None) -> None:
    """Note what befell a piece, and who took it or bumped into it, if anything did."""
    seen = (work.sees(0, piece), work.sees(1, piece), work.sees(SPECTATOR, piece))
    by, witness = (0, None) if taker is None else (taker.id, taker.seat)
    work.reports.append(Affected(code, piece, stun, seen, by, witness, work.at_once))


def report_public(work: WorkingCopy, text: str) -> None:
    """Note what everybody sees: the way of a projectile (WEC-RUL-61)."""
    work.reports.append(Public(text))


def report_shift(work: WorkingCopy, before: Piece, place: int) -> None:
    """Note a step of a transit."""
    work.reports.append(Shifted(before, place, work.at_once))


def report_arrival(work: WorkingCopy, piece: Piece) -> None:
    """Note the end of a transit, or a fall."""
    work.reports.append(Arrived(piece, work.at_once))
