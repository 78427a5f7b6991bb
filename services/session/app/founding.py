"""Creates sessions: new ones, rematches, forks and imports.

The id of a new session is made from the caller and the request id, so a repeated request finds what the first one made; a
rematch's is made from the session that it follows, so there is one, whoever asks, and it has the same owner. Whoever does not own
the shard of the new session passes it on before anything else is done.
"""

from collections.abc import Callable

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, session_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused, unknown
from services.session.app.capacity import Capacity
from services.session.app.saves import Saves, seats_of
from services.session.domain.bounds import SESSIONS_PER_PLAYER
from services.session.domain.commands import access, creating, ending, seating
from services.session.domain.commands.creating import Plan
from services.session.domain.commands.decision import Done
from services.session.domain.describing import describe
from services.session.domain.ids import checked, derived_id, shard_of
from services.session.domain.lines import Line, line_of, options_and_start
from services.session.live.draft import play_line
from services.session.live.histories import Histories
from services.session.live.rules_client import Games, RulesClient
from services.session.live.storing import Request
from services.session.live.writer import Writer
from services.session.store.commits import no_room
from services.session.store.store import Store

SECRET_BYTES = 32
"""The secret that the chance of a session comes from."""


class Founding:
    """Creates sessions. Raises Refused."""

    def __init__(
        self,
        writer: Writer,
        capacity: Capacity,
        store: Store,
        histories: Histories,
        rules: RulesClient,
        games: Games,
        saves: Saves,
        check_owner: Callable[[str], None],
        id_key: bytes,
        draw: Callable[[int], bytes],
    ) -> None:
        """`id_key` keeps the ids of repeated requests from being guessed; `draw` gives so many bytes that nobody can foresee.

        `check_owner` raises Refused (moved) when a session is of another process's shard.
        """
        self._check_owner = check_owner
        self._writer = writer
        self._capacity = capacity
        self._store = store
        self._histories = histories
        self._rules = rules
        self._games = games
        self._saves = saves
        self._id_key = id_key
        self._draw = draw

    async def create(self, asked: play_pb2.CreateSessionRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create a session; the rules judge its options and its start position before anything is stored."""
        session_id = self._new_id(caller, asked.request_id)
        facts = await self._games.facts(asked.game)
        plan = creating.plan(asked, caller, facts, self._draw(SECRET_BYTES))
        created = plan.created.created
        options, start = options_and_start(created)
        await self._rules.new(created.game, options, created.seats, start, self._draw(SECRET_BYTES))

        def answer(done: Done) -> play_pb2.Answer:
            response = play_pb2.CreateSessionResponse(session=describe(done.state), grants=done.grants)
            return play_pb2.Answer(create_session=response)

        return await self._found(session_id, plan, caller, request, answer)

    async def fork(self, asked: play_pb2.ForkSessionRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create a session that goes on from a version of another one, with chance of its own."""
        access.player(caller)
        session_id = self._new_id(caller, asked.request_id)
        state, archived = await self._histories.state(checked(asked.session_id))
        if not archived:
            access.viewer(state, asked.seat_token)
        facts = await self._games.facts(state.game)
        if not state.is_over:
            access.casual(state)
            if facts.hidden:
                raise Refused(errors_pb2.REASON_STILL_RUNNING, "what is hidden must stay so: it can be played on once it is over")
        entries = await self._histories.entries(state.id)
        if not 1 <= asked.at_version <= min(len(entries), state.version):
            raise unknown("version")
        before = entries[: asked.at_version]
        wishes = asked.seats or creating.usual_wishes(seats_of(before)[0])
        origin = before[0].created
        plan = creating.continued(line_of(before), wishes, caller, facts, self._draw(SECRET_BYTES), origin=origin)

        def answer(done: Done) -> play_pb2.Answer:
            return play_pb2.Answer(fork_session=play_pb2.ForkSessionResponse(session=describe(done.state), grants=done.grants))

        return await self._found(session_id, plan, caller, request, answer)

    async def import_(
        self, asked: play_pb2.ImportSessionRequest, caller: session_pb2.Caller, request: Request
    ) -> play_pb2.Answer:
        """Create a session that goes on where a record stands."""
        access.player(caller)
        session_id = self._new_id(caller, asked.request_id)
        save = await self._saves.open(asked.record, caller)
        facts = await self._games.facts(save.created.game)
        wishes = asked.seats or creating.usual_wishes(save.occupants)
        plan = creating.continued(
            save.line,
            wishes,
            caller,
            facts,
            save.secret or self._draw(SECRET_BYTES),
            origin=save.created,
            public=asked.public,
            chance_of=save.chance_of,
            shares=save.shares,
            next_secret=self._draw(SECRET_BYTES) if save.secret else b"",
        )

        def answer(done: Done) -> play_pb2.Answer:
            return play_pb2.Answer(
                import_session=play_pb2.ImportSessionResponse(session=describe(done.state), grants=done.grants)
            )

        return await self._found(session_id, plan, caller, request, answer, is_replayed=True)

    async def rematch(self, asked: play_pb2.RematchRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create the rematch of a session, or seat the caller in the one that there is."""
        state, archived = await self._histories.state(checked(asked.session_id))
        rematch_id = state.rematch_id or derived_id(self._id_key, "rematch", state.id, shard=shard_of(state.id))
        self._check_owner(rematch_id)
        seat = None if archived else access.holder(state, asked.seat_token)
        line = line_of(await self._histories.entries(state.id))
        plan = creating.rematch(state, line.start_position, caller, seat, self._draw(SECRET_BYTES))
        created = plan.created.created
        creator = created.creator

        def answer(done: Done) -> play_pb2.Answer:
            return play_pb2.Answer(rematch=play_pb2.RematchResponse(session=describe(done.state), grants=done.grants))

        if await self._histories.live(rematch_id) is None:
            await self._has_room(creator.player_id)
            mark = await self._capacity.admit(rematch_id, caller.address, has_computers=plan.has_computers)
            await self._suit_rematch(created, line)
            facts = await self._games.facts(created.game)
            created.rules_version, created.holds_seeds = facts.rules_version, facts.holds_seeds
            try:
                written = await self._writer.create(rematch_id, plan, request, answer, mark)
            except Refused as refused:
                if refused.reason != errors_pb2.REASON_REQUEST_ID_REUSED or await self._histories.live(rematch_id) is None:
                    raise
            else:
                if not archived and not state.rematch_id:
                    await self._writer.write(state.id, ending.rematched(rematch_id))
                assert isinstance(written.answer, play_pb2.Answer)
                return written.answer
        if not archived and not state.rematch_id:
            await self._writer.write(state.id, ending.rematched(rematch_id))
        person = session_pb2.Caller(player_id=creator.player_id, name=creator.name)
        written = await self._writer.write(rematch_id, seating.come_to_rematch(person), request)
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    def _new_id(self, caller: session_pb2.Caller, request_id: str) -> str:
        """Return the id of the session that a request makes, or has made. Raises Refused (moved)."""
        session_id = derived_id(self._id_key, "session", caller.player_id, request_id)
        self._check_owner(session_id)
        return session_id

    async def _found(
        self,
        session_id: str,
        plan: Plan,
        caller: session_pb2.Caller,
        request: Request,
        answer: Callable[[Done], play_pb2.Answer],
        *,
        is_replayed: bool = False,
    ) -> play_pb2.Answer:
        """Create a session; the rules must follow its line, unless that is known already."""
        repeated = await self._writer.repeated(session_id, request)
        if repeated is not None:
            return repeated
        await self._has_room(caller.player_id)
        if plan.created.created.line and not is_replayed:
            await self._replay(plan.created.created)
        mark = await self._capacity.admit(session_id, caller.address, has_computers=plan.has_computers)
        written = await self._writer.create(session_id, plan, request, answer, mark)
        if written.is_new:
            metrics.SESSIONS.labels(plan.created.created.game, "created").inc()
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    async def _suit_rematch(self, created: record_pb2.Created, before: Line) -> None:
        """Let what belongs to a seat go along with its person, and change who begins as the rules say, if a game began at all."""
        ended = created.options if created.HasField("options") else None
        dealt = await self._rules.deal_options(created.game, ended, creating.passed_on(created.seats))
        if dealt is not None:
            created.options.CopyFrom(dealt)
        if not before.plies:
            return
        seed = before.plies[0].seed
        first = await self._rules.new(created.game, before.options, created.seats, before.start_position, seed)
        ended = created.options if created.HasField("options") else None
        options = await self._rules.rematch(created.game, ended, first.position)
        if options is not None:
            created.options.CopyFrom(options)

    async def _has_room(self, player_id: str) -> None:
        if await self._store.unfinished(player_id) >= SESSIONS_PER_PLAYER:
            raise no_room("player", f"a player has at most {SESSIONS_PER_PLAYER} unfinished sessions")

    async def _replay(self, created: record_pb2.Created) -> None:
        options, start = options_and_start(created)
        await play_line(self._rules, created.game, created.seats, options, start, created.line)
