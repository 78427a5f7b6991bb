"""Calls that change nothing: sessions, updates, actions, notation, and the games themselves."""

from typing import TypeVar

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import play_pb2, sessions_pb2
from services.runtime.refusal import malformed
from services.runtime.update_fields import leave_out
from services.session.domain import perception
from services.session.domain.commands import access
from services.session.domain.ids import checked
from services.session.domain.perception import audience, perceived, with_lists
from services.session.domain.plies import options_and_start
from services.session.domain.state import State
from services.session.domain.updates import is_unaware, update_for, view_of, write_in_full
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache

_Asked = TypeVar("_Asked", bound=Message)
_UPDATES_PAGE = 100
_UPDATES_BYTES = 4 * 1024 * 1024
_NO_SEED = bytes(32)
"""The seed of an example: no session's, so that it tells nothing of what chance will deal."""


class Queries:
    """Answers calls that change nothing. Raises Refused."""

    def __init__(self, session_cache: SessionCache, rebuilds: Rebuilds, rules: RulesClient, games: Games) -> None:
        self._session_cache = session_cache
        self._rebuilds = rebuilds
        self._rules = rules
        self._games = games

    async def list_games(self, request: play_pb2.ListGamesRequest) -> Message:
        """Return a page of the games."""
        question = _same(rules_pb2.FindGamesRequest, request)
        question.page_size = min(request.page_size, 100)
        return _same(play_pb2.ListGamesResponse, await self._rules.ask.FindGames(question))

    async def get_game(self, request: play_pb2.GetGameRequest) -> Message:
        """Return one game with its texts, and its board if that is requested."""
        return _same(play_pb2.GetGameResponse, await self._rules.ask.FindGame(_same(rules_pb2.FindGameRequest, request)))

    async def check_start(self, request: play_pb2.CheckStartRequest) -> Message:
        """Return the position and the warnings that a start position leads to."""
        return _same(play_pb2.CheckStartResponse, await self._rules.ask.TryStart(_same(rules_pb2.TryStartRequest, request)))

    async def describe_view(self, request: play_pb2.DescribeViewRequest) -> Message:
        """Return how a client's view is drawn, and its events in words. Raises Refused (MALFORMED) without a view."""
        if not request.HasField("view"):
            raise malformed("view", "a view is needed")
        return _same(play_pb2.DescribeViewResponse, await self._rules.ask.DrawScene(_same(rules_pb2.DrawSceneRequest, request)))

    async def get_session(self, request: play_pb2.GetSessionRequest, caller: session_pb2.Caller) -> Message:
        """Return the newest update of the caller's seat, and whether the session is the caller's."""
        state, seat = await self._viewer(request.session_id, request.seat_token)
        newest = perception.newest(state, audience(seat))
        wanted = 1 << audience(seat)
        if sessions_pb2.Update.FIELD_ACTIONS not in request.leave_out:
            wanted = with_lists(wanted)
        packed = await self._rebuilds.updates(state.id, newest, newest, wanted)
        response = play_pb2.GetSessionResponse(update=update_for(packed[-1], seat))
        response.is_own = bool(caller.player_id) and caller.player_id == state.created.creator.player_id
        if request.shows_start and not state.has_begun and not state.is_over and not state.created.variation:
            _, start = options_and_start(state.created)
            count, spectator = len(state.seats), 1 << audience(None)
            begun = await self._rules.new(state.game, state.options, count, start, _NO_SEED, spectator)
            response.start_view.CopyFrom(view_of(begun.step, None))
        leave_out(response.update, request.leave_out)
        return response

    async def list_updates(self, request: play_pb2.ListUpdatesRequest) -> Message:
        """Return a page of updates. Once the game is finished, its log hides nothing that was played from anybody."""
        state, seat = await self._viewer(request.session_id, request.seat_token)
        first = max(1, request.from_version)
        if request.page_token:
            first = _number(request.page_token)
        size = request.page_size or _UPDATES_PAGE
        response = play_pb2.ListUpdatesResponse()
        total, number = 0, audience(seat)
        head = perception.number_of(state, number, perception.last_shown(state, number))
        last = min(first + size - 1, head)
        from_, to = (perception.in_log(state, number, version) for version in (first, last))
        is_shown = first <= last and await self._rebuilds.shows_all(state)
        played = await self._rebuilds.entries_between(state.id, from_, to) if is_shown else ()
        by_version = {entry.version: entry for entry in played}
        found = await self._rebuilds.updates(state.id, from_, to, with_lists(1 << number)) if first <= last else ()
        for packed in found:
            if is_unaware(packed, seat):
                continue
            update = update_for(packed, seat)
            if packed.version in by_version:
                write_in_full(update, by_version[packed.version])
            total += update.ByteSize()
            # One goes along however large it is, or its reader would never get past it.
            if response.updates and total > _UPDATES_BYTES:
                break
            response.updates.append(update)
        following = first + len(response.updates)
        if response.updates and following <= head:
            response.next_page_token = str(following)
        return response

    async def list_actions(self, request: play_pb2.ListActionsRequest) -> Message:
        """Return a page of what the caller's seat may do. All pages are for the version of the first one."""
        state = await self._live(request.session_id)
        seat = access.holder(state, request.seat_token)
        access.running(state)
        known = perceived(state, seat)
        version, _, token = request.page_token.partition(":")
        # A page belongs to the list of one position: of another, it would leave actions out or list them twice.
        if token and version != str(known.position_version):
            access.fresh(state, seat, _number(version))
        view = await self._session_cache.view(state, seat)
        found = await self._rules.legal(state.game, view, request.page_size, token, request.places)
        places = list(request.places)
        # A rules process of an earlier release lists all.
        actions = [one for one in found.actions if one.places[: len(places)] == places] if places else found.actions
        response = play_pb2.ListActionsResponse(actions=actions, at_version=known.version)
        if found.next_page_token:
            response.next_page_token = f"{known.position_version}:{found.next_page_token}"
        return response

    async def read_notation(self, request: play_pb2.ReadNotationRequest) -> Message:
        """Return the action that a notation means in the view of the caller's seat."""
        state = await self._live(request.session_id)
        seat = access.timely_viewer(state, request.seat_token)
        access.running(state)
        action = await self._rules.read(state.game, await self._session_cache.view(state, seat), request.notation)
        return play_pb2.ReadNotationResponse(action=action)

    async def _viewer(self, session_id: str, seat_token: str) -> tuple[State, int | None]:
        """Return a session and the seat whose view the caller may have: in an archived one, nobody has any but a spectator's."""
        state, archived = await self._rebuilds.state(checked(session_id))
        return state, None if archived else access.viewer(state, seat_token)

    async def _live(self, session_id: str) -> State:
        return (await self._session_cache.newest(checked(session_id))).state


def _same(kind: type[_Asked], message: Message) -> _Asked:
    """Return a message of another kind with the fields that both have: clients and the rules are asked in the same words."""
    known = kind.DESCRIPTOR.fields_by_name
    return kind(**{field.name: value for field, value in message.ListFields() if field.name in known})


def _number(token: str) -> int:
    if not token.isascii() or not token.isdigit() or len(token) > 15:
        raise malformed("page_token", "that is not a token of this list")
    return max(1, int(token))
