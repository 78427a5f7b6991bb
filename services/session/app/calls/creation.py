"""Creates sessions: new ones, rematches, forks and imports.

The id of a new session is derived from the caller and the request id, so a repeated request finds what the first one created; a
rematch's is derived from the session that it follows, so there is only one, whoever requests it, and it has the same owner. A
process that does not own the new session's shard passes the call on before doing anything else.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.player_text import TITLE_BYTES, shown_text
from services.runtime.refusal import Refused, malformed, unknown
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.capacity import Capacity
from services.session.app.calls.continuations import Continuations
from services.session.app.calls.rows import Rows
from services.session.app.calls.saves import Save, Saves, is_shared, seats_of
from services.session.app.calls.server_saves import ServerSaves
from services.session.domain import fair_play, perception
from services.session.domain.bounds import SESSIONS_PER_PLAYER
from services.session.domain.commands import access, creation, endings, seats
from services.session.domain.commands.creation import Plan
from services.session.domain.commands.decision import Done
from services.session.domain.commands.seats import take_kept_seats
from services.session.domain.fair_play import shows_all
from services.session.domain.ids import arranged_by, checked, derived_id, shard_of
from services.session.domain.perception import audience
from services.session.domain.public_session import describe
from services.session.domain.variation import Variation, options_and_start, variation_of, write_setup
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.variation import play_variation
from services.session.live.write_builder import Request, identified
from services.session.live.writer import Writer
from services.session.store.commits import no_room
from services.session.store.store import Store

SECRET_BYTES = 32
"""The secret from which the chance of a session derives."""


class Creation:
    """Creates sessions. Raises Refused."""

    def __init__(
        self,
        writer: Writer,
        capacity: Capacity,
        store: Store,
        rebuilds: Rebuilds,
        rules: RulesClient,
        games: Games,
        saves: Saves,
        kept: ServerSaves,
        blocks: Blocks,
        check_owner: Callable[[str], None],
        id_key: bytes,
        draw: Callable[[int], bytes],
    ) -> None:
        """`id_key` keeps the ids of repeated requests from being guessed; `draw` returns that many unpredictable bytes.

        `check_owner` raises Refused (moved) if a session is in another process's shard.
        """
        self._check_owner = check_owner
        self._writer = writer
        self._capacity = capacity
        self._store = store
        self._rebuilds = rebuilds
        self._rules = rules
        self._games = games
        self._saves = saves
        self._kept = kept
        self._blocks = blocks
        self._id_key = id_key
        self._draw = draw
        self._continuations = Continuations(rebuilds, id_key)

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "create_session": self.create,
            "fork_session": self.fork,
            "import_session": self.import_,
            "rematch": self.rematch,
        }

    async def create(self, asked: play_pb2.CreateSessionRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create a session; the rules check its options and start position before anything is stored."""
        session_id = self._new_id(caller, asked.request_id)
        facts = await self._games.facts(asked.game)
        plan = creation.plan(asked, caller, facts, self._draw(SECRET_BYTES))
        created = plan.created.created
        await self._begin(created)

        def answer(done: Done) -> play_pb2.Answer:
            response = play_pb2.CreateSessionResponse(session=describe(done.shown), grants=done.grants)
            return play_pb2.Answer(create_session=response)

        return await self._found(session_id, plan, caller, request, answer)

    async def arrange(self, asked: session_pb2.ArrangeSessionRequest) -> session_pb2.ArrangeSessionResponse:
        """Create a session whose seats are kept for players who have found each other, or only check that one is possible.

        It belongs to nobody: its creator is the arrangement.
        """
        if not asked.arrangement_id or len(asked.kept_for) != len(asked.create.seats):
            raise malformed("arrangement_id", "an arrangement has an id, and names the player that each seat is kept for")
        create = play_pb2.CreateSessionRequest()
        create.CopyFrom(asked.create)
        create.request_id = asked.arrangement_id
        create.title = shown_text(create.title, TITLE_BYTES)  # a tournament of an earlier release goes on, whatever it is called
        caller = session_pb2.Caller(player_id=arranged_by(asked.arrangement_id), address=asked.address)
        session_id = self._new_id(caller, create.request_id)
        facts = await self._games.facts(create.game)
        plan = creation.plan(create, caller, facts, self._draw(SECRET_BYTES), asked.kept_for, arena=asked.arena)
        created = plan.created.created
        await self._begin(created)
        if asked.only_checks:
            return session_pb2.ArrangeSessionResponse()
        if await self._rebuilds.live(session_id) is None:
            for player in filter(None, asked.kept_for):
                await self._has_room(player)

        def answer(done: Done) -> play_pb2.Answer:
            return play_pb2.Answer(create_session=play_pb2.CreateSessionResponse(session=describe(done.shown)))

        request = identified(create, caller, create.SerializeToString(deterministic=True))
        await self._found(session_id, plan, caller, request, answer)
        return session_pb2.ArrangeSessionResponse(session_id=session_id)

    async def close_waiting(self, arrangement_id: str) -> session_pb2.CloseWaitingResponse:
        """Close an arranged session whose game has not begun, and return who has joined."""
        session_id = derived_id(self._id_key, "session", arranged_by(arrangement_id), arrangement_id)
        self._check_owner(session_id)
        state, archived = await self._rebuilds.state(session_id)
        while not archived and not state.is_over and not state.has_begun:
            await self._writer.write(session_id, endings.abandon_at(state.version), enforces_clocks=False)
            state, archived = await self._rebuilds.state(session_id)
        began = state.has_begun
        if state.is_over:  # a closed session always "has begun": its log says whether its game had
            began = any(entry.HasField("started") for entry in await self._rebuilds.entries(session_id))
        came = [number for number, seat in enumerate(state.seats) if seat.is_person]
        return session_pb2.CloseWaitingResponse(began=began, came=came)

    async def fork(self, asked: play_pb2.ForkSessionRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create a session that goes on from a version of another one, with its own chance."""
        access.player(caller)
        session_id = self._new_id(caller, asked.request_id)
        state, archived = await self._rebuilds.state(checked(asked.session_id))
        seat = None if archived else access.viewer(state, asked.seat_token)
        facts = await self._games.facts(state.game)
        if not state.is_over:
            access.casual(state)
        entries = await self._rebuilds.entries(state.id)
        if not shows_all(state, entries, hidden=facts.hidden) and facts.hidden:
            raise Refused(
                errors_pb2.REASON_STILL_RUNNING, "what is hidden must stay hidden: the game can be played on once it is finished"
            )
        fair_play.check_fork(state)
        at_version = perception.in_log(state, audience(seat), asked.at_version)
        if not 1 <= at_version <= min(len(entries), state.version):
            raise unknown("version")
        before = entries[:at_version]
        wishes = asked.seats or creation.default_wishes(seats_of(before)[0])
        origin = before[0].created
        plan = creation.continued(variation_of(before), wishes, caller, facts, self._draw(SECRET_BYTES), origin=origin)

        def answer(done: Done) -> play_pb2.Answer:
            return play_pb2.Answer(fork_session=play_pb2.ForkSessionResponse(session=describe(done.shown), grants=done.grants))

        return await self._found(session_id, plan, caller, request, answer)

    async def import_(
        self, asked: play_pb2.ImportSessionRequest, caller: session_pb2.Caller, request: Request
    ) -> play_pb2.Answer:
        """Create a session that continues a record."""
        access.player(caller)
        if asked.save_id and asked.HasField("record"):
            raise malformed("save_id", "give either a record or a saved game from the list")
        record = await self._kept.find(asked.save_id, caller.player_id) if asked.save_id else asked.record
        game_id = await self._saves.game_of(record)
        if game_id:
            return await self._reopen(record, asked, game_id, caller, request)
        session_id = self._new_id(caller, asked.request_id)
        save = await self._saves.open(record, caller)
        wishes = asked.seats or creation.default_wishes(save.occupants)
        plan = await self._continued(save, wishes, caller, public=asked.public)
        return await self._found(session_id, plan, caller, request, _imported, is_replayed=True)

    async def _reopen(
        self,
        record: record_pb2.Record,
        asked: play_pb2.ImportSessionRequest,
        game_id: str,
        caller: session_pb2.Caller,
        request: Request,
    ) -> play_pb2.Answer:
        """Create a session that continues a sealed record, or seat the caller in the existing one."""
        player = caller.player_id
        new_id = self._continuations.default_id(game_id, player, asked.request_id)
        self._check_owner(new_id)
        save = await self._saves.open(record, caller)
        saved_from = save.saved_from
        if saved_from is None:  # it has not begun, so it hides nothing yet
            plan = await self._continued(
                save, asked.seats or creation.default_wishes(save.occupants), caller, public=asked.public
            )
            return await self._found(new_id, plan, caller, request, _imported, is_replayed=True)
        seats = creation.seating(asked.seats, player, saved_from.held_by, save.occupants, competitive=save.created.competitive)
        await self._blocks.check(player, seats.kept_for)
        if seats.is_without:
            save = replace(save, saved_from=record_pb2.SavedFrom(held_by=seats.held_by))
        plan = await self._continued(save, seats.wishes, caller, kept_for=seats.kept_for, public=asked.public)
        if not is_shared(saved_from, player):
            return await self._found(new_id, plan, caller, request, _imported, is_replayed=True)
        async with self._continuations.turn(game_id):
            if seats.is_without:
                for known in (self._continuations.without_id(game_id), new_id):
                    repeated = await self._writer.repeated(known, request)
                    if repeated is not None:
                        return repeated
                is_alone = not seats.is_with_others
                place = await self._continuations.without(saved_from, player, asked.request_id, is_alone=is_alone)
            else:
                place = await self._continuations.together(saved_from)
            if place.is_there:
                written = await self._writer.write(place.session_id, take_kept_seats(caller, _imported), request)
                assert isinstance(written.answer, play_pb2.Answer)
                return written.answer
            return await self._found(place.session_id, plan, caller, request, _imported, is_replayed=True)

    async def _continued(
        self,
        save: Save,
        wishes: Sequence[play_pb2.SeatWish],
        caller: session_pb2.Caller,
        *,
        kept_for: Sequence[str] = (),
        public: bool,
    ) -> Plan:
        """Return the plan of a session that continues a saved game."""
        bound = save.saved_from
        if bound is not None and not is_shared(bound, caller.player_id) and not save.created.competitive:
            bound = None  # it belongs to the caller alone
        return creation.continued(
            save.variation,
            wishes,
            caller,
            await self._games.facts(save.created.game),
            save.secret or self._draw(SECRET_BYTES),
            origin=save.created,
            public=public,
            chance_of=save.chance_of,
            seed_contributions=save.seed_contributions,
            next_secret=self._draw(SECRET_BYTES) if save.secret else b"",
            kept_for=kept_for,
            saved_from=bound,
            without_help=save.without_help,
        )

    async def rematch(self, asked: play_pb2.RematchRequest, caller: session_pb2.Caller, request: Request) -> play_pb2.Answer:
        """Create the rematch of a session, or seat the caller in the existing one."""
        state, archived = await self._rebuilds.state(checked(asked.session_id))
        rematch_id = state.rematch_id or derived_id(self._id_key, "rematch", state.id, shard=shard_of(state.id))
        self._check_owner(rematch_id)
        seat = None if archived else access.holder(state, asked.seat_token)
        variation = variation_of(await self._rebuilds.entries(state.id))
        plan = creation.rematch(state, variation.start_position, caller, seat, self._draw(SECRET_BYTES))
        created = plan.created.created
        creator = created.creator
        await self._blocks.check(creator.player_id, {each.player_id or each.kept_for for each in state.seats})

        if await self._rebuilds.live(rematch_id) is None:
            await self._has_room(creator.player_id)
            mark = await self._capacity.admit(rematch_id, caller.address, has_computers=plan.has_computers)
            await self._suit_rematch(created, variation)
            facts = await self._games.facts(created.game)
            created.rules_version, created.holds_seeds = facts.rules_version, facts.holds_seeds
            created.counts_perceived = facts.hides_actions
            try:
                written = await self._writer.create(rematch_id, plan, request, _came_to_rematch, mark)
            except Refused as refused:
                if refused.reason != errors_pb2.REASON_REQUEST_ID_REUSED or await self._rebuilds.live(rematch_id) is None:
                    raise
            else:
                if not archived and not state.rematch_id:
                    await self._writer.write(state.id, endings.rematched(rematch_id), enforces_clocks=False)
                assert isinstance(written.answer, play_pb2.Answer)
                return written.answer
        if not archived and not state.rematch_id:
            await self._writer.write(state.id, endings.rematched(rematch_id), enforces_clocks=False)
        person = session_pb2.Caller(player_id=creator.player_id, name=creator.name)
        come = seats.take_kept_seats(person, _came_to_rematch)
        written = await self._writer.write(rematch_id, come, request, enforces_clocks=False)
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    async def _begin(self, created: record_pb2.Created) -> None:
        """Return when the rules can begin a game so; its options and its start position are as they write them then."""
        options, start = options_and_start(created)
        seed, competitive = self._draw(SECRET_BYTES), created.competitive
        begun = await self._rules.new(created.game, options, created.seats, start, seed, competitive=competitive)
        write_setup(created, begun)

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
        """Create a session; the rules must accept its variation, unless that is already known."""
        repeated = await self._writer.repeated(session_id, request)
        if repeated is not None:
            return repeated
        await self._has_room(caller.player_id)
        if plan.created.created.variation and not is_replayed:
            await self._replay(plan.created.created)
        mark = await self._capacity.admit(session_id, caller.address, has_computers=plan.has_computers)
        written = await self._writer.create(session_id, plan, request, answer, mark)
        if written.is_new:
            metrics.SESSIONS.labels(plan.created.created.game, "created").inc()
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer

    async def _suit_rematch(self, created: record_pb2.Created, before: Variation) -> None:
        """Move what belongs to a seat along with its player, and change who begins as the rules say, if a game began at all."""
        ended = created.options if created.HasField("options") else None
        order, competitive = creation.rotated_seats(created.seats), created.competitive
        dealt = await self._rules.deal_options(created.game, ended, order, competitive=competitive)
        if dealt is not None:
            created.options.CopyFrom(dealt)
        if not before.plies:
            return
        seed = before.plies[0].seed
        begun = await self._rules.new(created.game, before.options, created.seats, before.start_position, seed)
        ended = created.options if created.HasField("options") else None
        options = await self._rules.rematch(created.game, ended, begun.step.position)
        if options is not None:
            created.options.CopyFrom(options)

    async def _has_room(self, player_id: str) -> None:
        if await self._store.unfinished(player_id) >= SESSIONS_PER_PLAYER:
            raise no_room("player", f"a player has at most {SESSIONS_PER_PLAYER} unfinished sessions")

    async def _replay(self, created: record_pb2.Created) -> None:
        options, start = options_and_start(created)
        await play_variation(self._rules, created.game, created.seats, options, start, created.variation)


def _imported(done: Done) -> play_pb2.Answer:
    return play_pb2.Answer(import_session=play_pb2.ImportSessionResponse(session=describe(done.shown), grants=done.grants))


def _came_to_rematch(done: Done) -> play_pb2.Answer:
    return play_pb2.Answer(rematch=play_pb2.RematchResponse(session=describe(done.shown), grants=done.grants))
