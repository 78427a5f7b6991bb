"""Games that differ in unseen actions only: in their number, kind, order and moments. Who does not see them is told the same.

Each is a session that is folded here as the session service does it, with the rules asked in this process. What an eye is told
are the encoded messages of its watch, one after the other.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, rules
from brettwerk_games.rules.wec.actions import Action, EndTurn, Move
from brettwerk_games.rules.wec.position import SPECTATOR, End, Position, View
from services.rules.answers import apply_action, view_position
from services.rules.any_codec import any_codec
from services.runtime.refusal import Refused
from services.session.domain import perception, updates
from services.session.domain.fold import create, fold
from services.session.domain.plies import Marks
from services.session.domain.state import State
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.crowds import crowded

TURN_MS = 60_000
"""How long a Turn takes in every game, whatever is done in it."""
MAX_ACTIONS = 9
"""Actions that are tried in a Turn."""
VARIANTS = 6
"""Other Turns with which each is compared."""
_NO_CAUSE = record_pb2.Acted.CAUSE_UNSPECIFIED
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=3_600_000, increment_ms=5_000)


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that is done at a moment: an action, or the draw that the other side proposes or withdraws (None)."""

    at_ms: int
    seat: int
    action: Action | None
    missed_by: int = 0
    """The audiences that perceived nothing of it, as bits."""


@dataclass(slots=True)
class Played:
    """A session so far, and what an eye was told of it."""

    state: State
    position: Position
    eye: int
    first: Position
    received: list[bytes] = field(default_factory=list)
    seen: list[tuple[int, View]] = field(default_factory=list)
    """The views that the eye had, each since when: what it knows without being told."""
    done: list[Deed] = field(default_factory=list)

    def add(
        self, entry: record_pb2.Entry, at_ms: int, step: rules_pb2.Step | None = None, perspectives: rules_pb2.Step | None = None
    ) -> None:
        """Add an entry to the log, and tell of it."""
        entry.version, entry.at_ms = self.state.version + 1, at_ms
        self.state = fold(self.state, entry, step, Marks())
        packed = updates.pack(self.state, entry, step or perspectives, 1 << self.audience)
        self.received.extend(packed.messages)

    def act(self, deed: Deed, at_ms: int | None = None, cause: record_pb2.Acted.Cause.ValueType = _NO_CAUSE) -> Deed:
        """Carry an action out and return it with those who missed it; its entry may have another moment. Raises Refused."""
        assert deed.action is not None
        action = _any(Kind.ACTION, deed.action)
        question = rules_pb2.ApplyActionRequest(
            game="wec",
            position=self.state.position,
            action=rules_pb2.SeatAction(seat=deed.seat, action=action),
            step_seed=SEED,
            rules_version=GAME.facts.rules_version,
            audiences=1 << self.audience,
        )
        step = apply_action(question).step
        ply = record_pb2.Ply(actor=deed.seat + 1, action=action, seed=SEED, notation=step.notation)
        acted = record_pb2.Acted(ply=ply, cause=cause)
        self.add(record_pb2.Entry(acted=acted), deed.at_ms if at_ms is None else at_ms, step)
        self.position = any_codec("wec").unpack_stored(step.position, "position")
        view = GAME.view(self.position, self.seat)
        if not self.seen or self.seen[-1][1] != view:
            self.seen.append((deed.at_ms, view))
        return Deed(deed.at_ms, deed.seat, deed.action, step.unaware)

    @property
    def audience(self) -> int:
        """The audience of the eye."""
        return perception.SPECTATOR if self.eye == SPECTATOR else self.eye

    @property
    def seat(self) -> int | None:
        """The seat of the eye; None for a spectator's."""
        return None if self.eye == SPECTATOR else self.eye

    def propose(self, deed: Deed) -> Deed:
        """Let the side that is not to act propose a draw, or withdraw that."""
        perspectives = view_position(
            rules_pb2.ViewPositionRequest(game="wec", position=self.state.position, audiences=1 << self.audience)
        ).step
        number = next((p.id for p in self.state.proposals if p.seat == deed.seat), 0)
        if number:
            answered = record_pb2.Answered(proposal_id=number, seat=deed.seat, accepted=False)
            self.add(record_pb2.Entry(answered=answered), deed.at_ms, perspectives=perspectives)
        else:
            made, version = self.state.proposals_made + 1, self.state.version + 1
            proposal = record_pb2.Proposal(id=made, seat=deed.seat, version=version, draw=True, waiting=[1 - deed.seat])
            self.add(record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal)), deed.at_ms, perspectives=perspectives)
        return deed

    def do(self, deed: Deed) -> Deed:
        """Do something and return it with those who missed it. Raises Refused or Illegal."""
        done = self.propose(deed) if deed.action is None else self.act(deed)
        self.done.append(done)
        return done

    def copy(self) -> "Played":
        """Return the session as it is now."""
        return Played(self.state, self.position, self.eye, self.first, list(self.received), list(self.seen), list(self.done))

    def take(self, other: "Played") -> None:
        """Become what another is."""
        self.state, self.position, self.received, self.seen, self.done = (
            other.state,
            other.position,
            other.received,
            other.seen,
            other.done,
        )


def begun(position: Position, eye: int, clock: record_pb2.ClockSpec = CLOCK) -> Played:
    """Return a competitive session of two persons with clocks, which begins with a position."""
    created = record_pb2.Created(
        game="wec",
        rules_version=GAME.facts.rules_version,
        seats=2,
        clock=clock,
        competitive=True,
        counts_perceived=True,
        commitment=bytes(32),
    )
    session = Played(
        create("00" + "a" * 22, bytes(32), record_pb2.Entry(version=1, at_ms=0, created=created)), position, eye, position
    )
    for seat, name in enumerate(("Anna", "Ben")):
        person = record_pb2.Occupant(person=record_pb2.Person(player_id=name, name=name))
        session.add(record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=person)), 0)
    question = rules_pb2.ViewPositionRequest(game="wec", position=_any(Kind.POSITION, position), audiences=1 << session.audience)
    step = view_position(question).step
    step.position.CopyFrom(question.position)
    session.add(record_pb2.Entry(started=record_pb2.Started(seed=SEED)), 0, step)
    session.received.clear()
    session.seen.append((0, GAME.view(position, session.seat)))
    return session


def _any(kind: Kind, value: object) -> AnyMessage:
    return AnyMessage(type_url=f"type.googleapis.com/{GAME.codec.type_name(kind)}", value=GAME.codec.encode(kind, value))


def pairs(numbers: Iterable[int]) -> Iterator[tuple[Played, Played]]:
    """Yield pairs of sessions that look the same to an eye at every moment: a Turn, and what the other side does after it.

    Where something unseen has led to what is seen in the end (it hit, or stood in a way), they are no pair.
    """
    for number in numbers:
        dice = random.Random(number)
        position = crowded(dice)
        options = position.options._replace(competitive=True)
        if dice.random() < 0.8:
            options = options._replace(stealth_lock_on=False, stealth_range_detect=False, submergence_detector_range=0)
            options = options._replace(reveal_on_fire=False)
        position = position._replace(options=options)
        eye = dice.choice((1 - position.active, 1 - position.active, SPECTATOR))
        first = begun(position, eye)
        deeds = [first.do(deed) for deed in _turn(dice, first)]
        if not any(deed.missed_by >> first.audience & 1 for deed in deeds) and dice.random() < 0.8:
            continue
        for _ in range(VARIANTS):
            here, there = first.copy(), begun(position, eye)
            try:
                for deed in _otherwise(dice, there, deeds):
                    there.do(deed)
            except (Refused, Illegal):
                continue
            if here.seen == there.seen and here.done != there.done:
                _go_on(dice, here, there)
                yield here, there


def _turn(dice: random.Random, session: Played) -> Iterator[Deed]:
    """Yield what is done in a Turn; the other side may propose a draw and withdraw it."""
    actor = session.position.active
    at = sorted(dice.sample(range(1, TURN_MS), MAX_ACTIONS))
    for at_ms in at:
        if dice.random() < 0.4:
            yield Deed(at_ms, 1 - actor, None)
        else:
            action = _some(dice, session)
            if action is not None:
                yield Deed(at_ms, actor, action)
    if not session.position.turn.mover:
        moves = [each for each in _legal(session) if isinstance(each, Move)]
        yield Deed(TURN_MS - 1, actor, dice.choice(moves) if moves else EndTurn())
    yield Deed(TURN_MS, actor, EndTurn())


def _some(dice: random.Random, session: Played) -> Action | None:
    """Return an action of a kind that is drawn first; most are of hidden pieces."""
    legal = [each for each in _legal(session) if not isinstance(each, EndTurn)]
    if not legal:
        return None
    hidden = session.position.unseen
    secret = [each for each in legal if getattr(each, "piece", 0) in hidden]
    legal = secret if secret and dice.random() < 0.8 else legal
    kind = dice.choice(sorted({type(each).__name__ for each in legal}))
    return dice.choice([each for each in legal if type(each).__name__ == kind])


def _legal(session: Played) -> Sequence[Action]:
    return rules.actions(GAME.view(session.position, session.position.active))


def _otherwise(dice: random.Random, session: Played, deeds: Sequence[Deed]) -> Iterator[Deed]:
    """Yield the same with what the eye has not seen left out, put elsewhere, done otherwise, or more of it."""
    actor = session.position.active
    for deed in deeds:
        if deed.missed_by >> session.audience & 1:
            if dice.random() < 0.5:
                yield Deed(dice.randint(session.state.at_ms, deed.at_ms), actor, deed.action)
            continue
        ends = isinstance(deed.action, EndTurn)
        while dice.random() < 0.6 or (ends and not session.position.turn.mover):
            action = unseen_action(dice, session, moves=ends)
            if action is None:
                break
            yield Deed(dice.randint(session.state.at_ms, deed.at_ms), actor, action)
        yield deed


def unseen_action(dice: random.Random, session: Played, *, moves: bool) -> Action | None:
    """Return an action of which the eye will perceive nothing, if one is soon found."""
    position = session.position
    before = GAME.view(position, session.seat)
    legal = [each for each in _legal(session) if getattr(each, "piece", 0) in position.unseen]
    legal = [each for each in legal if isinstance(each, Move) or not moves]
    kinds = sorted({type(each).__name__ for each in legal})
    for _ in range(8 if legal else 0):
        kind = dice.choice(kinds)
        action = dice.choice([each for each in legal if type(each).__name__ == kind])
        if GAME.view(rules.apply(position, position.active, action, SEED).position, session.seat) == before:
            return action
    return None


def _go_on(dice: random.Random, here: Played, there: Played) -> None:
    """Let the other side play the same actions in both, as long as they look the same."""
    for number in range(3 if here.position.end == End.ON else 0):
        action = _some(dice, here)
        before = here.copy(), there.copy()
        try:
            for session in (here, there):
                if action is not None:
                    session.do(Deed(TURN_MS + 100 * (number + 1), session.position.active, action))
        except (Refused, Illegal):
            action = None
        if action is None or here.seen != there.seen:
            here.take(before[0])
            there.take(before[1])
            return


def compare(most: int, numbers: Iterable[int]) -> int:
    """Compare so many pairs: what the eye was told, byte by byte. Return in how many the log counts otherwise."""
    differing = 0
    for number, (here, there) in enumerate(islice(pairs(numbers), most)):
        differing += here.state.version != there.state.version
        assert here.received == there.received, f"eye {here.eye} can tell them apart (pair {number})"
    return differing


def again(session: Played) -> Played:
    """Return a session that is played once more."""
    played = begun(session.first, session.eye)
    for deed in session.done:
        played.do(deed)
    return played


def update_of(message: bytes) -> sessions_pb2.Update:
    """Return the update of an encoded message of a watch."""
    return play_pb2.WatchResponse.FromString(message).update
