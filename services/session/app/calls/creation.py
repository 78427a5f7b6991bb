"""Creates sessions: new ones, forks, rematches, and those of players who have found each other. continuations.py uses it.

The id of a new session is derived from the caller and the request id, so a repeated request finds what the first one created; a
rematch's is derived from the session that it follows. A process that does not own the new session's shard passes the call on
before doing anything else.
"""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial

from google.protobuf.message import Message
from prometheus_client import Counter

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.player_text import TITLE_BYTES, shown_text
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.settings import Settings
from services.runtime.word_list import WordFile
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.saves import seats_of
from services.session.computers.ai_client import Workforce
from services.session.domain import fair_play, perception
from services.session.domain.bounds import SESSIONS_PER_PLAYER
from services.session.domain.commands import access, creation, seats
from services.session.domain.commands.decision import Done, answer_with_session
from services.session.domain.ids import Request, arranged_by, checked, derived_id, identified, mark
from services.session.domain.plies import Variation, options_and_start, variation_of, write_setup
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.writer import Writer
from services.session.store.commits import no_memory, no_room
from services.session.store.store import Admission, Store
from services.sharding.shards import shard_of

BEGINNINGS = 256
"""For how many games, as their options would have them, it is known that they can begin so."""
SECRET_BYTES = 32
LOOK_MS = 1_000
"""For how long a look at the total and the memory is good for further sessions."""
_TAG_BYTES = 10


class Capacity:
    """Whether there is room for one more session: for its creator's address, in total, in the store's memory, for its computers.

    New sessions are refused, moves never are. Counts are looked up rather than kept, so nothing drifts when a process dies: the
    total is what the store has; an address has a set of the sessions created from it, and when that is full, finished ones are
    taken out. What was looked up of the total and the memory serves all sessions of the next second, and nothing is refused
    without a new look. So what other processes create meanwhile, or at the same moment, can exceed these two bounds. The store
    contains no addresses, only a keyed hash of each, which is removed a while after the last session from there.
    """

    def __init__(self, store: Store, workforce: Workforce, config: Settings, now_ms: Callable[[], int]) -> None:
        """Take the bounds from the settings, and the key that makes the hashes of addresses."""
        self._now_ms = now_ms
        self._looking = asyncio.Lock()
        self._looked_ms = 0
        self._sessions = 0
        """As counted then, with those admitted since."""
        self._workforce = workforce
        self._store = store
        self._config = config
        self._key = config.key("address")

    async def admit(self, session_id: str, player_id: str, address: str, *, has_computers: bool) -> bytes | None:
        """Return the mark of the creator's address if there is room for a new session of a player; None if it is there already.

        The mark is empty if the address is unknown. Raises Refused: FULL, with the bound that was reached; UNAVAILABLE.
        """
        if has_computers:
            self._workforce.check_room()
        if not self._is_roomy():
            async with self._looking:
                if not self._is_roomy():  # else somebody else has looked in the meantime
                    await self._look()
        tag = mark(self._key, address)[:_TAG_BYTES] if address else b""
        most = self._config.sessions_per_address
        # An address is remembered for as long as an idle session is.
        kept_s = math.ceil(self._config.abandon_s)
        admit = partial(self._store.admit, session_id, player_id, SESSIONS_PER_PLAYER, tag.hex(), most, kept_s)
        found = await admit()
        # If the address is full, sessions that are over are taken out first.
        if found is Admission.ADDRESS and await self._store.forget_over(tag.hex()):
            found = await admit()
        match found:
            case Admission.THERE:
                return None
            case Admission.PLAYER:
                raise _too_many_of_player()
            case Admission.ADDRESS:
                raise no_room("address", f"from one network address there are at most {most} unfinished sessions")
        self._sessions += 1
        return tag

    def _is_roomy(self) -> bool:
        """Return whether there is room by what was looked up a moment ago."""
        return 0 <= self._now_ms() - self._looked_ms < LOOK_MS and self._sessions < self._config.sessions_total

    async def _look(self) -> None:
        """Find out how much room there is. Raises Refused (FULL) if there is none."""
        looked_ms = self._now_ms()
        count, (used, limit) = await asyncio.gather(self._store.count_sessions(), self._store.memory())
        if count >= self._config.sessions_total:
            raise no_room("total", f"there are at most {self._config.sessions_total} sessions at a time")
        if limit and used >= limit * self._config.memory_share:
            raise no_memory()
        self._sessions, self._looked_ms = count, looked_ms

    async def check_player(self, player_id: str) -> None:
        """Check that a player may have one more unfinished session. Raises Refused (FULL), UNAVAILABLE."""
        if await self._store.unfinished(player_id) >= SESSIONS_PER_PLAYER:
            raise _too_many_of_player()


def _too_many_of_player() -> Refused:
    return no_room("player", f"a player has at most {SESSIONS_PER_PLAYER} unfinished sessions")


@dataclass(eq=False, repr=False)
class NewSessions:
    """Makes sessions from plans, once, with ids that this process must own. Raises Refused; moved where it does not."""

    _writer: Writer
    _capacity: Capacity
    _rules: RulesClient
    _id_key: bytes
    """Keeps the ids of repeated requests from being guessed."""
    _check_owner: Callable[[str], None]
    """Raises Refused (moved) if a session is in another process's shard."""
    _draw: Callable[[int], bytes]
    """Returns that many unpredictable bytes."""
    _spectator_delay: int
    """The least that competitive sessions have."""

    def __post_init__(self) -> None:
        self._begun: OrderedDict[tuple[str, bytes | None, int, bool], rules_pb2.NewPositionResponse] = OrderedDict()
        """The rules' answers on games without a start position: they say the same of the next one, and need not be asked."""

    def id(self, player: str, request_id: str) -> str:
        """Return the id of the session that a player's request makes, or has made."""
        return self.owned(derived_id(self._id_key, "session", player, request_id))

    def rematch_id(self, state: State) -> str:
        """Return the id of a session's rematch."""
        return self.owned(state.rematch_id or derived_id(self._id_key, "rematch", state.id, shard=shard_of(state.id)))

    def owned(self, session_id: str) -> str:
        """Return an id, if its session is one of this process's."""
        self._check_owner(session_id)
        return session_id

    def secret(self) -> bytes:
        """Return a secret from which the chance of a session derives."""
        return self._draw(SECRET_BYTES)

    def delay(self, created: record_pb2.Created) -> None:
        """Let spectators of a competitive session see it no sooner than this server wants."""
        if created.competitive:
            created.spectator_delay = max(created.spectator_delay, self._spectator_delay)

    async def begin(self, created: record_pb2.Created) -> None:
        """Return when the rules can begin a game so; its options and its start position are as they write them then."""
        options, start = options_and_start(created)
        key = created.game, None if options is None else options.SerializeToString(), created.seats, created.competitive
        begun = self._begun.get(key) if start is None else None
        if begun is None:
            seed, competitive = self.secret(), created.competitive
            begun = await self._rules.new(created.game, options, created.seats, start, seed, competitive=competitive)
            begun.ClearField("step")
            if start is None:
                self._begun[key] = begun
                if len(self._begun) > BEGINNINGS:
                    self._begun.popitem(last=False)
        write_setup(created, begun)

    async def found(
        self,
        session_id: str,
        plan: creation.Plan,
        caller: session_pb2.Caller,
        request: Request,
        answer: Callable[[Done], play_pb2.Answer],
        *,
        is_replayed: bool = False,
    ) -> Message:
        """Create a session and return its answer, or that of the same request before.

        The rules must accept its variation, unless that `is_replayed` already. Raises Refused.
        """
        created = plan.created.created
        self.delay(created)
        created_from: bytes | None = None
        try:
            if created.variation and not is_replayed:
                # Before room is taken: a variation that the rules reject must not count for its address.
                if (repeated := await self._writer.repeated(session_id, request)) is not None:
                    return repeated
                await self._capacity.check_player(caller.player_id)
                await self._rules.play_variation(created.game, created.seats, Variation.of(created))
            created_from = await self.admit(session_id, plan, caller.player_id, caller.address)
        except Refused:
            # Nothing of that concerns a session that is there: the request that has made it is answered as before.
            repeated = await self._writer.repeated(session_id, request)
            if repeated is None:
                raise
            return repeated
        if created_from is None and (repeated := await self._writer.repeated(session_id, request)) is not None:
            return repeated
        written = await self._writer.create(session_id, plan, request, answer, created_from or b"")
        if written.is_new:
            _created(created.game).inc()
        return written.answer

    async def admit(self, session_id: str, plan: creation.Plan, player: str, address: str) -> bytes | None:
        """Return the mark of an address if there is room for a session; None if it is there. Raises Refused (FULL)."""
        return await self._capacity.admit(session_id, player, address, has_computers=plan.has_computers)


@cache
def _created(game: str) -> Counter:
    """Return what counts the sessions of a game that are created."""
    return metrics.SESSIONS.labels(game, "created")


@dataclass(eq=False, repr=False)
class Creation:
    """Creates sessions that follow from nothing, from a version of another one, or from its end. Raises Refused."""

    _new_sessions: NewSessions
    _rebuilds: Rebuilds
    _rules: RulesClient
    _games: Games
    _writer: Writer
    _blocks: Blocks

    async def create_session(self, asked: play_pb2.CreateSessionRequest, caller: session_pb2.Caller, request: Request) -> Message:
        """Create a session and return it; the rules check its options and start position before anything is stored."""
        session_id = self._new_sessions.id(caller.player_id, asked.request_id)
        facts = await self._games.facts(asked.game)
        plan = creation.plan(asked, caller, facts, self._new_sessions.secret())
        created = plan.created.created
        await self._new_sessions.begin(created)
        return await self._new_sessions.found(session_id, plan, caller, request, answer_with_session("create_session"))

    async def fork_session(self, asked: play_pb2.ForkSessionRequest, caller: session_pb2.Caller, request: Request) -> Message:
        """Create a session that goes on from a version of another one, with its own chance, and return it.

        Raises Refused: STILL_RUNNING while that would show what is hidden, UNKNOWN for a version that there is not, NO_HELP.
        """
        access.player(caller)
        session_id = self._new_sessions.id(caller.player_id, asked.request_id)
        state, archived = await self._rebuilds.state(checked(asked.session_id))
        seat = None if archived else access.viewer(state, asked.seat_token)
        facts = await self._games.facts(state.game)
        if not state.is_over:
            access.casual(state)
        entries = await self._rebuilds.entries(state.id)
        if not fair_play.shows_all(state, entries, hidden=facts.hidden) and facts.hidden:
            raise Refused(
                errors_pb2.REASON_STILL_RUNNING, "what is hidden must stay hidden: the game can be played on once it is finished"
            )
        fair_play.check_fork(state)
        at_version = perception.in_log(state, perception.audience(seat), asked.at_version)
        last = min(len(entries), state.version)
        if not 1 <= at_version <= last:
            last = perception.number_of(state, perception.audience(seat), last)
            raise unknown("version", "at_version", asked.at_version, (f"1 to {last}",))
        before = entries[:at_version]
        game = creation.Save(before[0].created, variation_of(before), seats_of(before)[0])
        plan = creation.continued(game, asked.seats, caller, facts, self._new_sessions.secret)
        return await self._new_sessions.found(session_id, plan, caller, request, answer_with_session("fork_session"))

    async def rematch(self, asked: play_pb2.RematchRequest, caller: session_pb2.Caller, request: Request) -> Message:
        """Return the rematch of a session, of which there is one: it is created, or the caller comes to the existing one."""
        state, archived = await self._rebuilds.state(checked(asked.session_id))
        rematch_id = self._new_sessions.rematch_id(state)
        seat = None if archived else access.holder(state, asked.seat_token)
        variation = variation_of(await self._rebuilds.entries(state.id))
        plan = creation.rematch(state, variation.start_position, caller, seat, self._new_sessions.secret())
        created = plan.created.created
        creator = created.creator
        await self._blocks.check(creator.player_id, {each.player_id or each.kept_for for each in state.seats})

        came, written = answer_with_session("rematch"), None
        if await self._rebuilds.live(rematch_id) is None:
            created_from = await self._new_sessions.admit(rematch_id, plan, creator.player_id, caller.address)
            await self._suit_rematch(created, variation)
            self._new_sessions.delay(created)
            facts = await self._games.facts(created.game)
            created.rules_version, created.holds_seeds = facts.rules_version, facts.holds_seeds
            created.counts_perceived = facts.hides_actions
            try:
                written = await self._writer.create(rematch_id, plan, request, came, created_from or b"")
            except Refused as refused:
                # Another request has created it in the meantime: the caller comes to that one, below.
                if refused.reason != errors_pb2.REASON_REQUEST_ID_REUSED or await self._rebuilds.live(rematch_id) is None:
                    raise
        if not archived and not state.rematch_id:
            await self._writer.write(state.id, seats.rematched(rematch_id), enforces_clocks=False)
        if written is None:
            person = session_pb2.Caller(player_id=creator.player_id, name=creator.name)
            written = await self._writer.write(rematch_id, seats.take_kept_seats(person, came), request, enforces_clocks=False)
        return written.answer

    async def _suit_rematch(self, created: record_pb2.Created, before: Variation) -> None:
        """Move what belongs to a seat along with its player, and change who begins as the rules say, if a game began at all."""
        game, seats, ask = created.game, created.seats, self._rules.ask
        ended, _ = options_and_start(created)
        order, competitive = creation.rotated_seats(seats), created.competitive
        question = rules_pb2.DealOptionsRequest(game=game, options=ended, order=order, competitive=competitive)
        dealt = await ask.DealOptions(question)
        if dealt.HasField("options"):
            created.options.CopyFrom(dealt.options)
        if not before.plies:
            return
        first = await self._rules.new(game, before.options, seats, before.start_position, before.plies[0].seed)
        ended, _ = options_and_start(created)
        named = await ask.NameRematch(rules_pb2.NameRematchRequest(game=game, options=ended, first_position=first.step.position))
        if named.HasField("options"):
            created.options.CopyFrom(named.options)


@dataclass(eq=False, repr=False)
class Arrangements:
    """Creates and closes the sessions of players who have found each other. Raises Refused."""

    _new_sessions: NewSessions
    _rebuilds: Rebuilds
    _games: Games
    _writer: Writer
    _capacity: Capacity
    _words: WordFile

    async def arrange(self, asked: session_pb2.ArrangeSessionRequest) -> session_pb2.ArrangeSessionResponse:
        """Create a session whose seats are kept for players who have found each other, or only check that one is possible.

        It belongs to nobody: its creator is the arrangement. Returns its id, if it was created. Raises Refused.
        """
        if asked.only_checks:
            self._words.check(asked.create.title, "name")
        if not asked.arrangement_id or len(asked.kept_for) != len(asked.create.seats):
            raise malformed("arrangement_id", "an arrangement has an id, and names the player that each seat is kept for")
        create = deepcopy(asked.create)
        create.request_id = asked.arrangement_id
        create.title = shown_text(create.title, TITLE_BYTES)  # a tournament of an earlier release goes on, whatever it is called
        caller = session_pb2.Caller(player_id=arranged_by(asked.arrangement_id), address=asked.address)
        session_id = self._new_sessions.id(caller.player_id, create.request_id)
        facts = await self._games.facts(create.game)
        plan = creation.plan(
            create, caller, facts, self._new_sessions.secret(), asked.kept_for, arena=asked.arena, arbiters=asked.arbiters
        )
        created = plan.created.created
        await self._new_sessions.begin(created)
        if asked.only_checks:
            return session_pb2.ArrangeSessionResponse()
        if await self._rebuilds.live(session_id) is None:
            await asyncio.gather(*map(self._capacity.check_player, filter(None, asked.kept_for)))
        request = identified(create, caller, create.SerializeToString(deterministic=True))
        await self._new_sessions.found(session_id, plan, caller, request, answer_with_session("create_session"))
        return session_pb2.ArrangeSessionResponse(session_id=session_id)

    async def close_waiting(self, asked: session_pb2.CloseWaitingRequest) -> session_pb2.CloseWaitingResponse:
        """Close an arranged session whose game has not begun, and return who has joined. Raises Refused."""
        session_id = self._new_sessions.id(arranged_by(asked.arrangement_id), asked.arrangement_id)
        state, archived = await self._rebuilds.state(session_id)
        # A call between the look and the write makes another version of it, which is looked at anew.
        while not archived and not state.is_over and not state.has_begun:
            await self._writer.write(session_id, seats.abandon_at(state.version), enforces_clocks=False)
            state, archived = await self._rebuilds.state(session_id)
        began = state.has_begun
        if state.is_over:  # a closed session always "has begun": its log says whether its game had
            began = any(entry.HasField("started") for entry in await self._rebuilds.entries(session_id))
        came = [number for number, seat in enumerate(state.seats) if seat.is_person]
        return session_pb2.CloseWaitingResponse(began=began, came=came)
