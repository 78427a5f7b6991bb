"""A viewing: a finished game that several people look at together, at the position that one of them presents.

It is no part of the log, and nothing of the game follows from it: what its viewers see is what everybody may see of a finished
game. It is kept beside the session, or the archive's record of it, for as long as somebody watches it and some minutes more.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from brettwerk.internal.v1 import session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredMark, StoredTalkLine, StoredViewing
from brettwerk.v1 import errors_pb2, viewings_pb2
from services.runtime.refusal import Refused, malformed, unknown
from services.session.domain.bounds import VIEWING_LINES, VIEWING_MARKS, VIEWING_MARKS_TOTAL


class Audience(NamedTuple):
    """Those in a viewing."""

    people: int
    """How many they are."""
    players: frozenset[str]
    """Their ids, as far as they are known."""
    names: Mapping[str, str]
    """The names of those who show theirs, by their ids."""


def begun(viewing_id: str, author: session_pb2.Caller, version: int) -> StoredViewing:
    """Return a new viewing."""
    presenter = viewings_pb2.Viewer(player_id=author.player_id, name=author.name)
    return StoredViewing(id=viewing_id, starter_id=author.player_id, presenter=presenter, version=version)


def change(
    viewing: StoredViewing,
    request: viewings_pb2.ChangeViewingRequest,
    author: session_pb2.Caller,
    audience: Audience,
    *,
    newest: int,
    places: Collection[str],
) -> None:
    """Change a viewing as a request wants it, except that it ends.

    `newest`: the last version of its session; `places`: those of the board. Raises Refused: VIEWING if that is not the author's
    to do, UNKNOWN for a player who is not in it or a place that is not on the board, MALFORMED, FULL.
    """
    kind = request.WhichOneof("change")
    require(viewing, kind, request, author, audience)
    match kind:
        case "version":
            viewing.version = shown_version(request.version, newest)
        case "presenter_id":
            if request.presenter_id != viewing.presenter.player_id:
                name = _name_of(request.presenter_id, "presenter_id", author, audience)
                viewing.presenter.CopyFrom(viewings_pb2.Viewer(player_id=request.presenter_id, name=name))
        case "drawer":
            _let_draw(viewing, request.drawer, author, audience)
        case "everybody_draws":
            viewing.everybody_draws = request.everybody_draws
        case "added_mark":
            _add_mark(viewing, request.added_mark, author, places)
        case "removed_mark":
            _remove_mark(viewing, request.removed_mark, author)
        case "no_marks":
            _keep_marks(viewing, (one for one in viewing.marks if one.version != viewing.version))


def require(
    viewing: StoredViewing,
    kind: str | None,
    request: viewings_pb2.ChangeViewingRequest,
    author: session_pb2.Caller,
    audience: Audience,
) -> None:
    """Check that a change is the author's to make. Raises Refused: VIEWING, MALFORMED for none."""
    if kind is None:
        raise malformed("change", "there is no change")
    if author.player_id == viewing.presenter.player_id:
        return
    if kind in ("added_mark", "removed_mark"):
        if not may_draw(viewing, author.player_id):
            raise Refused(errors_pb2.REASON_VIEWING, "the presenter has not let the caller draw", details={"viewing": "drawer"})
        return
    takes_over = kind == "presenter_id" and request.presenter_id == author.player_id
    if not takes_over or viewing.presenter.player_id in audience.players:
        raise Refused(errors_pb2.REASON_VIEWING, "only the presenter can do that", details={"viewing": "presenter"})


def may_draw(viewing: StoredViewing, player_id: str) -> bool:
    """Return whether somebody may draw."""
    return viewing.everybody_draws or player_id in (viewing.presenter.player_id, *viewing.drawers)


def shown_version(version: int, newest: int) -> int:
    """Return the version whose position is shown: the newest for 0. Raises Refused (UNKNOWN) for one that there is not."""
    if version > newest:
        raise unknown("version", "version", version)
    return version or newest


def shown(viewing: StoredViewing, audience: Audience) -> viewings_pb2.Viewing:
    """Return what those in a viewing see of it."""
    names = sorted(audience.names.items(), key=lambda one: (one[1].casefold(), one[0]))
    viewers = (viewings_pb2.Viewer(player_id=one, name=name, draws=one in viewing.drawers) for one, name in names)
    return viewings_pb2.Viewing(
        id=viewing.id,
        version=viewing.version,
        presenter=viewing.presenter,
        presented=viewing.presenter.player_id in audience.players,
        viewers=viewers,
        people=audience.people,
        everybody_draws=viewing.everybody_draws,
        marks=(one.mark for one in viewing.marks if one.version == viewing.version),
    )


def add_line(viewing: StoredViewing, line: StoredTalkLine) -> None:
    """Keep a line that was said; the oldest make room for it."""
    kept = [*viewing.lines, line][-VIEWING_LINES:]
    del viewing.lines[:]
    viewing.lines.extend(kept)


def heard_lines(viewing: StoredViewing, player_id: str, unheard: Collection[str] = ()) -> list[StoredTalkLine]:
    """Return the lines that a player hears: not those of the players `unheard`, who have blocked the player or are blocked."""
    return [one for one in viewing.lines if one.line.player_id not in unheard and player_id not in one.unheard_by]


def _name_of(player_id: str, field: str, author: session_pb2.Caller, audience: Audience) -> str:
    if player_id == author.player_id:
        return author.name
    name = audience.names.get(player_id)
    if name is None:
        raise unknown("player", field, player_id)
    return name


def _let_draw(viewing: StoredViewing, drawer: viewings_pb2.Drawer, author: session_pb2.Caller, audience: Audience) -> None:
    kept = [one for one in viewing.drawers if one != drawer.player_id and one in audience.players]
    if drawer.draws:
        _name_of(drawer.player_id, "drawer.player_id", author, audience)
        kept.append(drawer.player_id)
    viewing.drawers[:] = kept


def _add_mark(
    viewing: StoredViewing, mark: viewings_pb2.ViewingMark, author: session_pb2.Caller, places: Collection[str]
) -> None:
    for field, place in (("place", mark.place), ("to_place", mark.to_place)):
        if place not in places and (place or field == "place"):
            raise unknown("place", f"added_mark.{field}", place)
    if mark.place == mark.to_place:
        raise malformed("added_mark.to_place", "an arrow leads from one place to another")
    here = [one.mark for one in viewing.marks if one.version == viewing.version]
    if any((one.place, one.to_place) == (mark.place, mark.to_place) for one in here):
        return  # whoever drew it
    if len(here) >= VIEWING_MARKS:
        sentence = f"at most {VIEWING_MARKS} marks are drawn on a position"
        raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "marks"})
    new = viewings_pb2.ViewingMark(place=mark.place, to_place=mark.to_place, player_id=author.player_id, name=author.name)
    _keep_marks(viewing, [*viewing.marks, StoredMark(version=viewing.version, mark=new)][-VIEWING_MARKS_TOTAL:])


def _remove_mark(viewing: StoredViewing, mark: viewings_pb2.ViewingMark, author: session_pb2.Caller) -> None:
    presents = author.player_id == viewing.presenter.player_id

    def goes(one: StoredMark) -> bool:
        is_its_own = presents or one.mark.player_id == author.player_id
        is_this = (one.version, one.mark.place, one.mark.to_place) == (viewing.version, mark.place, mark.to_place)
        return is_this and is_its_own

    _keep_marks(viewing, (one for one in viewing.marks if not goes(one)))


def _keep_marks(viewing: StoredViewing, marks: Iterable[StoredMark]) -> None:
    kept = list(marks)
    del viewing.marks[:]
    viewing.marks.extend(kept)
