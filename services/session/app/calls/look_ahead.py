"""Looking ahead: the position after actions that nobody has played, where conditional moves are possible. It writes nothing."""

from collections.abc import Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import play_pb2, sessions_pb2
from services.runtime.refusal import Refused, malformed
from services.session.app.calls.rows import Rows, of_request
from services.session.domain import conditional
from services.session.domain.commands import access
from services.session.domain.ids import checked
from services.session.domain.perception import audience, audiences_of, perceived
from services.session.domain.state import State
from services.session.domain.updates import pieces_for, pieces_of, view_of
from services.session.live.conditional_moves import check_possible
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache


class LookAhead:
    """Answers LookAhead. Raises Refused."""

    def __init__(self, session_cache: SessionCache, rules: RulesClient, games: Games) -> None:
        self._session_cache = session_cache
        self._rules = rules
        self._games = games

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "look_ahead": of_request(self.look),
        }

    async def look(self, request: pb.LookAheadRequest) -> play_pb2.Answer:
        """Return the position after some actions, and what can be done in it."""
        state = (await self._session_cache.newest(checked(request.session_id))).state
        seat = access.viewer(state, request.seat_token)
        access.running(state)
        access.fresh(state, audience(seat), request.expected_version)
        if any(move.seat >= len(state.seats) for move in request.moves):
            raise malformed("moves", "there is no such seat")
        if sum(move.ByteSize() for move in request.moves) > conditional.MAX_BYTES:
            raise malformed("moves", f"the actions have at most {conditional.MAX_BYTES} bytes")
        await check_possible(state, self._games, self._rules)
        steps = await self._played(state, request.moves)
        last = steps[-1]
        shown_to = last.to_act[0] if last.to_act else seat
        view = view_of(last, shown_to)
        response = pb.LookAheadResponse(
            version=perceived(state, audience(seat)).version,
            moves=conditional.written(request.moves, steps[-len(request.moves) :] if request.moves else ()),
            view=view,
            to_act=last.to_act,
        )
        if shown_to != seat:
            response.own_view.CopyFrom(view_of(last, seat))
        if request.moves:
            shown = pieces_for(pieces_of(last.happening), 1 << audience(seat))
            response.events.extend(sessions_pb2.Happening.FromString(shown).events)
        if last.HasField("outcome"):
            response.outcome.CopyFrom(last.outcome)
        await self._list(response, state.game, view, last, request)
        return play_pb2.Answer(look_ahead=response)

    async def _played(self, state: State, moves: Sequence[pb.ConditionalMove]) -> Sequence[rules_pb2.Step]:
        """Return the steps of actions; of none, the position as it is."""
        assert state.position is not None
        audiences = audiences_of(state)
        if not moves:
            return [await self._rules.look(state.game, state.position, audiences)]
        plies, rules_version = conditional.plies(moves), state.created.rules_version
        steps = await self._rules.play_on(
            state.game, state.position, plies, rules_version, audiences=audiences, shown=1, positions=1
        )
        if len(steps) == len(moves):
            return steps
        count = len(steps)
        before = steps[-1].position if steps else state.position
        try:
            await self._rules.play(state.game, before, plies[count], rules_version)
        except Refused as why:
            raise conditional.refused("illegal", why.refusal.message, why.refusal, move=count) from None
        raise conditional.refused("illegal", f"the rules do not follow action {count + 1}", move=count)

    async def _list(
        self, response: pb.LookAheadResponse, game: str, view: AnyMessage, last: rules_pb2.Step, request: pb.LookAheadRequest
    ) -> None:
        """Say what the first seat that is to act may do: as an update does, or page by page."""
        if not last.to_act:
            return
        if not request.page_size and not request.page_token:
            pieces = pieces_for(pieces_of(last.actions), 1 << last.to_act[0])
            shown = sessions_pb2.Update.FromString(pieces)
            response.actions.extend(shown.actions)
            response.more_actions = shown.more_actions
            return
        found = await self._rules.legal(game, view, request.page_size, request.page_token)
        response.actions.extend(found.actions)
        response.next_page_token = found.next_page_token
        response.more_actions = bool(found.next_page_token)
