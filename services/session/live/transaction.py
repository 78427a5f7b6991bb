"""A session while entries are added to it: asks the rules what each entry does, folds it, and packs its updates.

A variation that it begins with, loads or goes back in is played as a whole, from its set-up.

Playing and rebuilding both go through here, so what is stored and what is rebuilt cannot differ: a session is rebuilt from its
log by adding its entries again, one after another, as they were written.
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import errors_pb2, record_pb2, rest_hours_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused
from services.session.domain import clocks, conditional, orders, perception, plies, updates
from services.session.domain.bounds import ACTIONS, ENTRIES, POSITIONS_BYTES, POSITIONS_KEPT
from services.session.domain.commands import actions
from services.session.domain.commands.decision import Decision, next_effect
from services.session.domain.fold import create, fold
from services.session.domain.plies import Variation, options_and_start, write_setup, write_step
from services.session.domain.state import State, replace
from services.session.live.memory import Memory
from services.session.live.rules_client import RulesClient

log = logger(__name__)

FORESEEN = 64
"""How many plies of a log are requested at once; the contract allows no more."""
FORESEEN_SHOWN = 8
"""How many of them at most are shown to audiences: steps with pieces are large."""
_SPARE_ENTRIES = 64
"""How many entries are reserved for ending a session whose log is full."""

Past = Callable[["Transaction", int], Awaitable[AnyMessage]]
"""Returns the position after that many plies of a transaction's variation; only asked for positions from before it began.

It is given the transaction since it must not hold it: both would stay until the garbage collector finds them.
"""


@dataclass(slots=True, eq=False)
class Added:
    """One entry that was added: the step that the rules made of it (None when the position did not change) and its updates."""

    entry: record_pb2.Entry
    step: rules_pb2.Step | None
    _state: State
    _perspectives: rules_pb2.Step | None
    audiences: int
    """For whom its updates are made, as bits."""
    _packed: updates.PackedUpdate | None = None

    @property
    def packed(self) -> updates.PackedUpdate:
        """Its updates, made when they are asked for first."""
        if self._packed is None:
            self._packed = updates.pack(self._state, self.entry, self._perspectives, self.audiences)
        return self._packed


@dataclass(eq=False, repr=False)
class Transaction:
    """The next state of a session. Nothing here is stored or sent to anybody."""

    _rules: RulesClient
    _state: State | None
    """At which it begins; None for a session that is not there yet."""
    known_perspectives: rules_pb2.Step | None
    """The position as audiences may see it, as far as it is known without asking."""
    _past: Past | None
    """None for a session that is not there yet: it has no past."""
    _audiences: Callable[[State], int] = perception.audiences_of
    """Returns for whom a state's updates are made; the rules are asked for no others."""
    _following: Callable[[State], int] = perception.audiences_of
    """Returns who is told each version, and not just where a transaction ends."""
    is_open: bool = field(default=False, kw_only=True)
    """Whether they are made as those have them who read the log once the game is over."""

    def __post_init__(self) -> None:
        self.shown_from = 0
        """The first version after the start whose updates are made for anybody."""
        self.rest_hours: rest_hours_pb2.RestHours | None = None
        """The hours that the entry which says that a seat's were set does not tell."""
        self.has_secrets = False
        """Whether it changes what the log does not contain."""
        self.compares = False
        """Whether actions are compared with conditional moves, and so noted as they are listed, too."""
        self.conditional: conditional.Kept = ()
        """The conditional moves of the seats that are left after all that was added."""
        self.orders = orders.NO_ORDERS
        """The orders of the seats, as they are after all that was added."""
        self.foreseen: dict[int, rules_pb2.Step] = {}
        """The steps of entries that are known before they are added, by version."""
        self.added: list[Added] = []
        self.kept: dict[int, AnyMessage] = {}
        """Positions that were left, by the number of plies before them."""
        self.dropped: set[int] = set()
        """Numbers of plies whose positions are no longer part of the variation."""

    @property
    def state(self) -> State:
        """The state after all that was added."""
        assert self._state is not None
        return self._state

    async def perspectives(self, audiences: int) -> rules_pb2.Step | None:
        """Return what these audiences, and perhaps others, may see of the position now; None before the start."""
        state = self.state
        if state.position is None:
            return None
        known = self.known_perspectives
        if known is None or not updates.shows(known, audiences, len(state.seats)):
            known = await self._rules.look(
                state.game, state.position, audiences | (known.audiences if known else perception.NOBODY)
            )
            self.known_perspectives = known
        return known

    async def begin(self, session_id: str, secret: bytes, entry: record_pb2.Entry, created_from: bytes = b"") -> None:
        """Add the first entry; `created_from` is the mark of the address that the session is created from."""
        self._state, self.has_secrets = create(session_id, secret, entry, created_from), True
        self._pack(entry, None, self._audiences(self._state) if entry.version >= self.shown_from else perception.NOBODY)

    def grant(self, tokens: Mapping[int, str], sign_out: int) -> None:
        """Make tokens the valid ones of seats, given after that sign-out of their player."""
        for seat, token in tokens.items():
            self._state = self.state.with_token(seat, token, sign_out)

    def know(self, secrets: session_state_pb2.StoredSecrets) -> None:
        """Take what the log does not contain, as of the version that was added last."""
        self._state = self.state.with_beside_log(secrets)

    def expect(self, next_secret: bytes) -> None:
        """Keep the secret for a renewal of chance."""
        self._state = replace(self.state, next_secret=next_secret)

    async def foresee(self, entries: Sequence[record_pb2.Entry], *, goes_back: bool) -> None:
        """Request together what the first plies among the next entries of a log do, so that `add` need not request each.

        `goes_back`: plies are taken back later on, which takes the positions before them. Refusals of the rules are left to
        `add`.
        """
        acted = list(takewhile(lambda entry: entry.WhichOneof("change") == "acted", entries[:FORESEEN]))
        state, position = self.state, self.state.position
        audiences = self._audiences(state)
        # Nobody sees these separately; without pieces, many more of them fit into one call.
        hidden = [entry for entry in acted if not audiences or entry.version < self.shown_from]
        asked = acted[: len(hidden) + FORESEEN_SHOWN]
        if position is None or len(asked) <= 1:
            return
        kept = min(POSITIONS_KEPT, POSITIONS_BYTES // (1 + len(position.value))) + 1
        question = rules_pb2.PlayOnRequest(
            game=state.game,
            position=position,
            plies=[entry.acted.ply for entry in asked],
            rules_version=state.created.rules_version,
            audiences=audiences,
            shown=len(asked) - len(hidden),
            positions=len(asked) if goes_back else min(kept, len(asked)),
        )
        steps = await self._rules.play_on(question)
        self.foreseen = {entry.version: step for entry, step in zip(asked, steps, strict=False)}

    async def add(self, entry: record_pb2.Entry, now_ms: int | None = None) -> Added:
        """Add the next entry and return what it brings; its ply gets its notation. If it raises Refused, nothing has changed.

        A new one gets its version and time, `now_ms`.
        """
        state = self.state
        if now_ms is not None:
            entry.version, entry.at_ms = state.version + 1, now_ms
        # Those who come while the rules are asked get this version later.
        audiences = self._audiences(state) if entry.version >= self.shown_from else perception.NOBODY
        # An update foreseen was made for those who followed then; anyone who has come since catches up.
        if entry.version in self.foreseen:
            audiences &= self.foreseen[entry.version].audiences
        step, variation = await self._ask(entry, audiences)
        clocks.note_used(state, entry)
        after = fold(state, entry, step, variation)
        if self.rest_hours is not None and entry.HasField("rest_hours_set"):
            seat = entry.rest_hours_set.seat
            after = after.with_seat(seat, replace(after.seats[seat], rest_hours=self.rest_hours))
        after = clocks.dated(after, entry)
        perspectives = step or await self.perspectives(audiences)
        if self.added:
            self.added[-1].audiences &= self._following(state)
        self._remember(entry, state)
        self._state, self.known_perspectives = after, perspectives
        return self._pack(entry, step, audiences)

    async def carry_out(self, decision: Decision, now_ms: int) -> None:
        """Add the entries of a decision, and what follows from them. Raises Refused; FULL where the log has no room for them."""
        if not decision.is_final:
            check_room(self.state, len(decision.entries))
        if decision.next_secret:
            self.expect(decision.next_secret)
        self.rest_hours = decision.rest_hours
        self.has_secrets = bool(decision.granted or decision.next_secret) or decision.rest_hours is not None
        if decision.tried is not None:
            await self._ask(decision.tried, perception.NOBODY)
        if decision.notation:
            ply = decision.entries[0].acted.ply
            view = await self._view(ply.actor - 1)
            ply.action.CopyFrom(await self._rules.read(self.state.game, view, decision.notation))
        await self.add_all(decision.entries, now_ms, follows_orders=decision.follows_orders)
        # Of an entry that is no action of a seat, the ply's kind is another one, or none.
        if not decision.is_final and any(entry.acted.ply.WhichOneof("kind") != "action" for entry in decision.entries):
            check_room_for_actions(self.state)

    async def add_all(self, entries: Sequence[record_pb2.Entry], now_ms: int, *, follows_orders: bool = False) -> None:
        """Add entries and what follows from them by itself, also by the conditional moves and the orders that are kept."""
        for entry in entries:
            await self.add(entry, now_ms)
            if self.orders.sheets:
                self.orders = orders.after(self.orders, entry, self.state)
        if self.conditional:
            self.conditional = conditional.after(self.conditional, entries)
        ordered = 0
        # Effects follow from entries, and at the start of a session from none: a table of computers begins by itself.
        while entries or self.state.version == 1 or follows_orders:
            following = next_effect(self.state)
            if following is not None:
                await self.add(following, now_ms)
            elif self.conditional and self.added and await self._play_prepared(now_ms):
                following = self.added[-1].entry
            elif self.orders.sheets and await self._follow_orders(now_ms, ordered):
                following, ordered = self.added[-1].entry, ordered + 1
            else:
                break
            self.conditional = conditional.after(self.conditional, (following,))
            if self.orders.sheets:
                self.orders = orders.after(self.orders, following, self.state)

    async def _play_prepared(self, now_ms: int) -> bool:
        """Add the answer that a seat has prepared for the last action, if there is one; return whether it was added.

        An answer that the rules or the bounds do not allow is left to the player: the action that it answers stands.
        """
        was_acted = self.added[-1].entry.WhichOneof("change") == "acted"
        entry = conditional.answer(self.state, self.conditional) if was_acted else None
        if entry is None:
            return False
        try:
            check_room(self.state, 1)
            await self.add(entry, now_ms)
        except Refused as refused:
            if refused.reason in UNREACHED:
                raise
            log.warning("a conditional move could not be played", reason=errors_pb2.Reason.Name(refused.reason))
            return False
        return True

    async def _follow_orders(self, now_ms: int, ordered: int) -> bool:
        """Add the next action by the orders of a seat that is to act, if there is one; return whether it was added.

        `ordered`: how many have been added by them already. One that the rules or the bounds do not allow ends its order.
        """
        if self.orders.goes_on:
            self.orders = self.orders._replace(goes_on=False)
        while (sheet := orders.ordered(self.state, self.orders)) is not None:
            if ordered >= orders.MAX_AT_ONCE:
                self.orders = self.orders._replace(goes_on=True)
                return False
            state = self.state
            try:
                view = await self._view(sheet.seat)  # nothing else is looked at
                question = rules_pb2.FollowOrdersRequest(game=state.game, view=view, orders=orders.left_of(sheet))
                found = await self._rules.ask.FollowOrders(question)
            except Refused as refused:
                if refused.reason in UNREACHED:
                    raise
                # Such as by an older process of the rules: what others play must not wait for that.
                log.warning("orders could not be followed", reason=errors_pb2.Reason.Name(refused.reason))
                metrics.ORDERS.labels(state.game, "unfollowed").inc()
                return False
            if not found.acting:
                if found.ended:
                    self.orders = self.orders.replaced(orders.ended(sheet, found.ended, state))
                return False
            try:
                check_room(state, 1)
                added = await self.add(actions.acted(state, sheet.seat, found.action), now_ms)
            except Refused as refused:
                if refused.reason in UNREACHED:
                    raise
                self.orders = self.orders.replaced(orders.refused(sheet, found, state))
                continue
            notation = "" if added.step is None else added.step.notation
            self.orders = self.orders.replaced(orders.played(sheet, found, notation, self.state))
            return True
        return False

    async def _view(self, seat: int) -> AnyMessage:
        """Return the view of a seat; there must be a position."""
        perspectives = await self.perspectives(1 << perception.audience(seat))
        assert perspectives is not None
        return updates.view_of(perspectives, seat)

    def _pack(self, entry: record_pb2.Entry, step: rules_pb2.Step | None, audiences: int) -> Added:
        state = perception.opened(self.state) if self.is_open else self.state
        added = Added(entry, step, state, self.known_perspectives, audiences)
        self.added.append(added)
        return added

    async def _ask(self, entry: record_pb2.Entry, audiences: int) -> tuple[rules_pb2.Step | None, plies.Marks]:
        state = self.state
        match entry.WhichOneof("change"):
            case "started":
                variation = Variation.of(state.created)
                if not variation.plies:
                    setup = record_pb2.Ply(seed=entry.started.seed, rules_version=state.created.rules_version)
                    variation = Variation(variation.options, variation.start_position, (setup,))
                return await self._play_variation(variation, audiences)
            case "settled":
                await self._settle(entry.settled)
            case "dealt":
                await self._deal(entry.dealt)
            case "loaded":
                return await self._play_variation(Variation.of(entry.loaded), audiences)
            case "acted":
                step = self.foreseen.pop(entry.version, None)
                if step is None:
                    assert state.position is not None
                    ply, revision = entry.acted.ply, state.created.rules_version
                    step = await self._rules.play(state.game, state.position, ply, revision, audiences)
                write_step(entry.acted.ply, step)
                if self.compares and step.HasField("listed"):
                    entry.acted.listed.CopyFrom(step.listed.action)
                return step, plies.NO_MARKS
            case "undone":
                count = entry.undone.plies
                if (position := self.kept.get(count)) is None:
                    assert self._past is not None
                    position = await self._past(self, count)
                return await self._rules.look(state.game, position, audiences), plies.NO_MARKS
        return None, plies.NO_MARKS

    async def _settle(self, settled: record_pb2.Settled) -> None:
        """Return if a game can begin like this. If the entry says so, what belongs to one seat stays as it is now."""
        state = self.state
        if settled.keeps_own:
            parts = await self._rules.split_options(state.game, len(state.seats), state.options, settled.options, 0)
            kept = parts.common if parts.HasField("common") else state.options
            settled.ClearField("options")
            if kept is not None:
                settled.options.CopyFrom(kept)
        # Where a saved game goes on, its plies show whether a game can begin so; they have their own seeds.
        if settled.variation:
            await self._play_variation(Variation.of(settled))
            return
        options, start = options_and_start(settled)
        setup = record_pb2.Ply(seed=bytes(SEED_BYTES))
        count, competitive = len(state.seats), state.created.competitive
        begun = await self._rules.new(state.game, options, count, start, setup.seed, setup=setup, competitive=competitive)
        write_setup(settled, begun)

    async def _deal(self, dealt: record_pb2.Dealt) -> None:
        """Move what belongs to a seat along with its player; what a saved game continues with belongs to its seats."""
        state = self.state
        if state.created.variation or tuple(dealt.order) == tuple(range(len(state.seats))):
            return
        question = rules_pb2.DealOptionsRequest(game=state.game, options=state.options, order=dealt.order)
        answer = await self._rules.ask.DealOptions(question)
        if answer.HasField("options"):
            dealt.options.CopyFrom(answer.options)

    async def _play_variation(
        self, variation: Variation, audiences: int = perception.NOBODY
    ) -> tuple[rules_pb2.Step, plies.Marks]:
        return await self._rules.play_variation(self.state.game, len(self.state.seats), variation, audiences)

    def _remember(self, entry: record_pb2.Entry, before: State) -> None:
        count = before.ply_count
        match entry.WhichOneof("change"):
            case "acted":
                assert before.position is not None
                self._forget((count, count - POSITIONS_KEPT))
                if before.position.type_url:  # else it was foreseen, and passed over
                    self.kept[count] = before.position
                    self.dropped.discard(count)
            case "undone":
                self._forget(range(max(entry.undone.plies, count - POSITIONS_KEPT), count))
            case "loaded":
                self._forget(range(max(0, count - POSITIONS_KEPT), count))

    def _forget(self, counts: Iterable[int]) -> None:
        for count in counts:
            self.kept.pop(count, None)
            self.dropped.add(count)


async def replay(
    session_id: str,
    transaction: Transaction,
    entries: Sequence[record_pb2.Entry],
    secrets: session_state_pb2.StoredSecrets,
    memory: Memory,
) -> None:
    """Add entries of a log to a transaction, with what the log does not contain. Raises Refused: RECORD_DAMAGED, UNAVAILABLE."""
    # Once chance has been renewed, its first secret is kept beside the current one.
    first, following = (secrets.former_secret, secrets.secret) if secrets.former_secret else (secrets.secret, secrets.next_secret)
    goes_back = any(entry.WhichOneof("change") == "undone" for entry in entries)
    for number, entry in enumerate(entries):
        if entry.version == 1:
            await transaction.begin(session_id, first, entry)
        else:
            if following and not transaction.state.is_renewed:
                transaction.expect(following)
            # The rules replay a long log many plies at a time: one call for each would take minutes.
            if entry.WhichOneof("change") == "acted" and entry.version not in transaction.foreseen:
                with contextlib.suppress(Refused):  # any objection is found again below
                    await transaction.foresee(entries[number : number + FORESEEN], goes_back=goes_back)
            await add_again(transaction, entry)
        if entry.version == secrets.version:
            transaction.know(secrets)
        added = transaction.added.pop()
        if entry.version >= transaction.shown_from:
            memory.note_update(added.packed)
    memory.note_positions(transaction.kept, transaction.dropped)


async def add_again(transaction: Transaction, entry: record_pb2.Entry) -> None:
    """Add the next entry of a log. Raises Refused: RECORD_DAMAGED if the rules reject it, UNAVAILABLE."""
    try:
        await transaction.add(entry)
    except Refused as refused:
        if refused.reason in (*UNREACHED, errors_pb2.REASON_FULL):
            raise
        message = f"the rules do not follow version {entry.version}: {refused.refusal.message}"
        raise Refused(errors_pb2.REASON_RECORD_DAMAGED, message) from refused


def check_room(state: State, entries: int) -> None:
    """Return if the log has room for that many more entries, and for those that end the session. Raises Refused (FULL)."""
    if max(state.version, state.ply_count) + entries + _SPARE_ENTRIES > ENTRIES:
        raise log_is_full()


def check_room_for_actions(state: State) -> None:
    """Return if the log has room for all actions that the game may still have. Raises Refused (FULL).

    An entry that is no action is added only while that is so; then every action finds room, whatever else was done before.
    """
    if not state.is_over and state.version + max(0, ACTIONS - plies.actions(state)) + _SPARE_ENTRIES > ENTRIES:
        sentence = "the session's log has room for the game's own actions only"
        raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "log"})


def is_full(state: State) -> bool:
    """Return whether the log has room for nothing but the session's end."""
    return max(state.version, state.ply_count) + 1 + _SPARE_ENTRIES > ENTRIES


def log_is_full() -> Refused:
    """Return the refusal of an entry for which the log of a session has no room."""
    return Refused(errors_pb2.REASON_FULL, "the session's log is full; it can only be ended", details={"bound": "log"})
