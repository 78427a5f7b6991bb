"""Viewings: finished games that several people look at together, each at the position that one of them presents.

A viewing is no part of the log, and nothing of the game follows from it: what its viewers see is what everybody may see of a
finished game. It is kept beside the session, or the archive's record of it, for as long as somebody watches it and some minutes
more, and read from the store whenever something is done to it, so that nothing of it is lost with this process. In it are those
watches that name it, which are all here. Those who come are told all of it first, then what changes.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from brettwerk.internal.v1 import session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredMark, StoredTalkLine, StoredViewing
from brettwerk.v1 import errors_pb2, play_pb2, talk_pb2, viewings_pb2
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.tasks import KeyLocks, repeat
from services.session.domain.bounds import VIEWERS, VIEWING_LINES, VIEWING_MARKS, VIEWING_MARKS_TOTAL
from services.session.store.store import Store
from services.session.watch.followers import Changes, Follower, Followers, tell
from services.session.watch.talk import TABLE, Talk

PROLONG_S = 60.0
"""How often viewings that are watched are kept for some more minutes."""

_OPEN, _OVER, _FULL = (getattr(viewings_pb2.WatchedViewing, f"STATE_{name}") for name in ("OPEN", "OVER", "FULL"))


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


@dataclass(eq=False, repr=False)
class Viewings:
    """The viewings. Raises Refused: UNKNOWN if there is no such viewing, UNAVAILABLE."""

    _store: Store
    _followers: Followers
    _blocked: Callable[[str, Collection[str]], Awaitable[frozenset[str]]]
    """Returns those of some players whom a player has blocked, or who have blocked the player."""
    _has_talk: bool
    """Whether there is talk on this server."""
    _now_ms: Callable[[], int]

    def __post_init__(self) -> None:
        self._locks = KeyLocks()
        self._changes: Changes

    def subscribe(self, start: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """Take what starts a task."""
        self._changes = Changes(start, lambda key: start(self._look(*key.split())))

    async def find(self, session_id: str, viewing_id: str) -> StoredViewing:
        """Return a viewing. Raises Refused (UNKNOWN) if there is none of that id, or it is over."""
        found = await self._store.viewing(session_id, viewing_id)
        if found is None:
            raise unknown("viewing", "viewing_id", viewing_id)
        return found

    async def begin(self, session_id: str, new: StoredViewing) -> StoredViewing:
        """Keep a new viewing, and return it; the one that was begun before by the same request is returned instead.

        Raises Refused: also FULL.
        """
        async with self._locks.of(new.id):
            before = await self._store.viewing(session_id, new.id)
            if before is not None:
                return before
            await self._store.admit_viewing(new.id, new.starter_id, self._now_ms())
            await self._store.keep_viewing(session_id, new)
        return new

    @asynccontextmanager
    async def changing(self, session_id: str, viewing_id: str) -> AsyncIterator[StoredViewing]:
        """Return a block in which a viewing is changed, alone; at its end it is kept, unless the block raises something."""
        async with self._locks.of(viewing_id):
            viewing = await self.find(session_id, viewing_id)
            before = viewing.SerializeToString(deterministic=True)
            yield viewing
            if viewing.SerializeToString(deterministic=True) != before:
                await self._store.keep_viewing(session_id, viewing)

    async def end(self, session_id: str, viewing: StoredViewing) -> None:
        """Remove a viewing, and tell those in it."""
        await self._store.remove_viewing(session_id, viewing)
        self._tell(self._in(session_id, viewing.id), viewings_pb2.WatchedViewing(state=_OVER))

    def audience(self, session_id: str, viewing_id: str) -> Audience:
        """Return who is in a viewing. Somebody with several windows is one of them."""
        players, names, nameless = set[str](), dict[str, str](), 0
        for follower in self._in(session_id, viewing_id):
            if not follower.player_id:
                nameless += 1
                continue
            players.add(follower.player_id)
            if follower.shows_name and follower.name:
                names[follower.player_id] = follower.name
        return Audience(len(players) + nameless, frozenset(players), names)

    def tell(self, session_id: str, viewing: StoredViewing) -> None:
        """Tell those in a viewing how it is now."""
        message = viewings_pb2.WatchedViewing(state=_OPEN, viewing=shown(viewing, self.audience(session_id, viewing.id)))
        self._tell(self._in(session_id, viewing.id), message)

    def say(self, session_id: str, viewing_id: str, stored: StoredTalkLine) -> None:
        """Tell a new line to those in a viewing who hear it."""
        reached = [one for one in self._in(session_id, viewing_id) if one.player_id not in stored.unheard_by]
        self._tell(reached, viewings_pb2.WatchedViewing(state=_OPEN, talk=talk_pb2.Talk(lines=[stored.line])))

    async def lines(self, viewing: StoredViewing, player_id: str) -> list[StoredTalkLine]:
        """Return what a player hears of what was said."""
        speakers = {one.line.player_id for one in viewing.lines}
        return heard_lines(viewing, player_id, await self._blocked(player_id, speakers) if speakers else ())

    async def catch_up(self, follower: Follower) -> None:
        """Tell a watch all of its viewing, if it lacks that."""
        if not follower.lacks_viewing:
            return
        asked, unheard = set[str](), frozenset[str]()
        while (viewing := await self._store.viewing(follower.session_id, follower.viewing_id)) is not None:
            if (speakers := {one.line.player_id for one in viewing.lines}) <= asked:
                break
            # Then it is read again: nothing is told between that and what is made of it.
            asked, unheard = speakers, await self._blocked(follower.player_id, speakers)
        if follower.is_gone or follower.is_lagging:
            return
        if viewing is None:
            self._answer(follower, viewings_pb2.WatchedViewing(state=_OVER))
        elif not follower.is_in_viewing and len(self._in(follower.session_id, viewing.id)) >= VIEWERS:
            self._answer(follower, viewings_pb2.WatchedViewing(state=_FULL))
        else:
            heard = (one.line for one in heard_lines(viewing, follower.player_id, unheard))
            talk = talk_pb2.Talk(whole=True, lines=heard if self._has_talk else (), off=not self._has_talk, room=TABLE)
            if not follower.is_in_viewing:
                follower.is_in_viewing = True
                self.changed(follower)
            now = shown(viewing, self.audience(follower.session_id, viewing.id))
            self._answer(follower, viewings_pb2.WatchedViewing(state=_OPEN, viewing=now, talk=talk))

    def changed(self, follower: Follower) -> None:
        """Tell those in a watch's viewing soon that it has come, or gone."""
        if follower.viewing_id:
            self._changes.add(f"{follower.session_id} {follower.viewing_id}")

    async def run(self) -> None:
        """Prolong what is watched again and again, until cancelled."""
        await repeat(self.prolong, PROLONG_S, "viewings not prolonged")

    async def prolong(self) -> None:
        """Keep all that are watched here for some more minutes."""
        watched = {(one.session_id, one.viewing_id) for some in self._followers.values() for one in some if one.is_in_viewing}
        for session_id, viewing_id in watched:
            viewing = await self._store.viewing(session_id, viewing_id)
            if viewing is not None:
                await self._store.prolong_viewing(session_id, viewing, self._now_ms())

    async def _look(self, session_id: str, viewing_id: str) -> None:
        try:
            viewing = await self._store.viewing(session_id, viewing_id)
        except Refused:
            return  # the next change tells it
        if viewing is not None:
            self.tell(session_id, viewing)

    def _in(self, session_id: str, viewing_id: str) -> list[Follower]:
        return [
            one
            for one in self._followers.of(session_id)
            if one.is_in_viewing and one.viewing_id == viewing_id and not one.is_gone
        ]

    def _answer(self, follower: Follower, message: viewings_pb2.WatchedViewing) -> None:
        follower.lacks_viewing = False
        self._tell([follower], message)

    def _tell(self, followers: Collection[Follower], message: viewings_pb2.WatchedViewing) -> None:
        reached = (one for one in followers if not (one.lacks_viewing or one.is_gone or one.is_lagging))
        tell(reached, play_pb2.WatchResponse(viewing=message))


class Company(NamedTuple):
    """All that people at a session tell each other: talk at its table, and viewings of a finished game."""

    talk: Talk
    viewings: Viewings

    async def catch_up(self, follower: Follower) -> None:
        """Tell a watch what it lacks of them. Raises Refused (UNAVAILABLE)."""
        await self.talk.begin(follower)
        await self.viewings.catch_up(follower)
