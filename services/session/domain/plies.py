"""The plies of a session: the variation that a log results in, and the undo marks of each ply.

A variation is everything that the rules need to play a game again. A value that clients give as `Any` is kept as the rules write
it, so that all logs, records and answers have it in one form. Clients are free to choose what precedes the last slash of a type
URL, the order of fields, and whether options that are at their defaults are given at all. A rules service of an earlier release
does not say how it writes them: then they stay as given.

The marks are two bytes: who played the ply, whether it revealed something, and who was to act before it. Free undo (nobody is
asked) covers the player's own plies, in whatever seat, and those of computer players, back to a point where the seat was to act.
By agreement, people can go back further. Nothing goes back past a ply that revealed something hidden, or past a system action: a
game that was resigned, flagged or drawn stays so, and agreed options stay agreed. The exception is a ply that the rules call
retractable: it revealed something or changed the options, but is taken back if all people in the seats agree; somebody alone has
nobody to ask. Even so, what was played before chance was renewed stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import play_pb2, record_pb2
from services.runtime.refusal import damaged
from services.session.domain.bounds import ENTRIES
from services.session.domain.state import FINISHED, RUNNING, State

_Beginning: TypeAlias = record_pb2.Created | record_pb2.Settled | record_pb2.Loaded | record_pb2.Setup
_Asked: TypeAlias = play_pb2.CheckStartRequest | play_pb2.CreateSessionRequest

_ACTOR = 0b0000_0111
_PERSON = 0b0000_1000
_REVEALS = 0b0001_0000
_FROM_VARIATION = 0b0010_0000
_RETRACTABLE = 0b0100_0000
_LAST = 0b1000_0000
"""After this ply chance was renewed: nothing earlier is taken back, or known dice would be rolled again."""
_BARRIERS = frozenset(flags for flags in range(256) if flags & _LAST or flags & _REVEALS or not flags & _ACTOR)
"""Of the first bytes of marks, those of plies that nobody takes back without asking."""
_FIXED = frozenset(flags for flags in _BARRIERS if flags & _LAST or not flags & _RETRACTABLE)
"""Those of plies that are not taken back even if all agree."""
_LOOKED_AT = 256


@dataclass(frozen=True, slots=True)
class Variation:
    """The options and start position that a game began with, and its plies; the first is the set-up. Empty before the start."""

    options: AnyMessage | None
    start_position: AnyMessage | None
    plies: tuple[record_pb2.Ply, ...]

    @classmethod
    def of(cls, change: record_pb2.Created | record_pb2.Settled | record_pb2.Loaded) -> "Variation":
        """Return the variation that an entry brings."""
        return cls(*options_and_start(change), tuple(change.variation))

    def message(self) -> record_pb2.Loaded:
        """Return it as it is loaded, and as the rules are asked about it."""
        return record_pb2.Loaded(variation=self.plies, options=self.options, start_position=self.start_position)

    def after(self, plies: int) -> "Variation":
        """Return its beginning: the set-up and that many plies."""
        return replace(self, plies=self.plies[: plies + 1])


def variation_of(entries: Iterable[record_pb2.Entry]) -> Variation:
    """Return the variation that the entries, from the first on, lead to."""
    options: AnyMessage | None = None
    start: AnyMessage | None = None
    revision = ""
    given: list[record_pb2.Ply] = []
    variation: list[record_pb2.Ply] = []
    for entry in entries:
        match entry.WhichOneof("change"):
            case "created":
                options, start = options_and_start(entry.created)
                revision = entry.created.rules_version
                given = list(entry.created.variation)
            case "settled":
                options, start = options_and_start(entry.settled)
                given = list(entry.settled.variation)
            case "dealt" if entry.dealt.HasField("options"):
                options = entry.dealt.options
            case "started":
                variation = given or [record_pb2.Ply(seed=entry.started.seed, rules_version=revision)]
            case "acted":
                variation.append(entry.acted.ply)
            case "undone":
                # The set-up is never taken back.
                del variation[entry.undone.plies + 1 :]
            case "loaded":
                options, start = options_and_start(entry.loaded)
                variation = list(entry.loaded.variation)
    return Variation(options, start, tuple(variation))


def check_variation(plies: Sequence[record_pb2.Ply], seats: int) -> None:
    """Return if plies can be a variation, as far as that shows without the rules. Raises Refused (RECORD_DAMAGED: the field)."""
    for number, ply in enumerate(plies):
        field, kind = f"variation[{number}]", ply.WhichOneof("kind")
        if not number:
            if ply.actor or kind is not None or ply.notation:
                raise damaged("the first ply of a variation is the set-up, and nobody's action", field)
        elif kind is None:
            raise damaged("the ply does not say what was done", f"{field}.kind")
        elif kind == "system_action" and ply.actor:
            raise damaged("a system action names no seat", f"{field}.actor_seat")
        elif kind == "action" and not 1 <= ply.actor <= seats:
            raise damaged(f"an action names its seat, and there are {seats} seats", f"{field}.actor_seat")


def options_and_start(change: _Beginning | _Asked) -> tuple[AnyMessage | None, AnyMessage | None]:
    """Return the options and the start position of an entry or a request, None for either that it lacks."""
    return (
        change.options if change.HasField("options") else None,
        change.start_position if change.HasField("start_position") else None,
    )


def write_setup(beginning: _Beginning, said: rules_pb2.NewPositionResponse | rules_pb2.PlayVariationResponse) -> None:
    """Let a game begin with its options and its start position as the rules wrote them."""
    if said.HasField("options"):
        beginning.options.CopyFrom(said.options)
    if said.HasField("start_position") and beginning.HasField("start_position"):
        beginning.start_position.CopyFrom(said.start_position)


def write_step(ply: record_pb2.Ply, step: rules_pb2.Step) -> None:
    """Let a ply say what it did as the rules wrote it, and be noted as they do."""
    ply.notation = step.notation
    if step.HasField("canonical"):
        rewrite(ply, step.canonical)


def rewrite(ply: record_pb2.Ply, content: AnyMessage) -> None:
    """Replace what a ply did by the same in another form."""
    if ply.WhichOneof("kind") == "action":
        ply.action.CopyFrom(content)
    else:
        ply.system_action.options.CopyFrom(content)


def plies_to_replay(entry: record_pb2.Entry, before: State | None) -> int:
    """Return roughly how many plies are replayed when an entry is added again."""
    match entry.WhichOneof("change"):
        case "created" | "settled" | "loaded" as change:
            return 1 + len(getattr(entry, change).variation)
        case "started" if before is not None:
            return 1 + len(before.created.variation)
    return 1


class Marks(NamedTuple):
    """The notes on the plies of a variation that was loaded or started from: as `State.plies`, and as `State.unaware`."""

    plies: bytes = b""
    unaware: bytes = b""


NO_MARKS = Marks()


def mark(
    ply: record_pb2.Ply,
    *,
    person: bool,
    reveals: bool,
    to_act: tuple[int, ...],
    retractable: bool = False,
    variation: bool = False,
) -> bytes:
    """Return the two bytes of a ply. `person`: a person sat in the seat; `variation`: it comes from a loaded variation."""
    actor = 0 if ply.WhichOneof("kind") == "system_action" else ply.actor
    flags = actor | (_PERSON if person else 0) | (_REVEALS if reveals else 0)
    flags |= (_RETRACTABLE if retractable else 0) | (_FROM_VARIATION if variation else 0)
    return bytes((flags, sum(1 << seat for seat in to_act)))


def with_unaware(unaware: bytes, played: int, audiences: int) -> bytes:
    """Return which audiences are unaware of which ply, after another one of which these perceived nothing."""
    return unaware.ljust(played, b"\0") + bytes((audiences,)) if audiences else unaware


def last_perceived_actor(state: State) -> int | None:
    """Return the seat that played the last ply that everybody perceived; None if that was the system's, or there is none."""
    for ply in reversed(range(state.ply_count)):
        if ply >= len(state.unaware) or not state.unaware[ply]:
            actor = state.plies[2 * ply] & _ACTOR
            return actor - 1 if actor else None
    return None


def actions(state: State) -> int:
    """Return how many of the plies are actions of seats; the others are system actions."""
    return sum(1 for flags in state.plies[::2] if flags & _ACTOR)


def sealed(marks: bytes) -> bytes:
    """Return the marks of plies after which chance was renewed: none of them is taken back, whoever agrees."""
    return marks[:-2] + bytes((marks[-2] | _LAST, marks[-1])) if marks else marks


def _is_alone(state: State, seat: int) -> bool:
    """Return whether the person in `seat` is the only one at the table."""
    return {other.player_id for other in state.seats if other.is_person} == {state.seats[seat].player_id}


def _is_anothers(state: State, flags: int, seat: int) -> bool:
    """Return whether a person other than the one in `seat` made a ply; plies of a loaded variation are nobody's."""
    if not flags & _ACTOR:
        return False
    actor = state.seats[(flags & _ACTOR) - 1]
    if flags & _PERSON:
        return actor.player_id != state.seats[seat].player_id
    return bool(flags & _FROM_VARIATION) and actor.is_person and actor.player_id != state.seats[seat].player_id


def free_targets(state: State, seat: int, limit: int = ENTRIES) -> list[int]:
    """Return how many plies may remain when `seat` takes back without asking: a limited number of choices, the largest first."""
    found: list[int] = []
    if state.created.competitive or state.status not in (RUNNING, FINISHED):
        return found
    alone: bool | None = None
    marks = state.plies
    for count in range(len(marks) // 2 - 1, state.seats[seat].since_plies - 1, -1):
        flags = marks[2 * count]
        if flags in _BARRIERS:
            alone = _is_alone(state, seat) if alone is None else alone
            if not alone or flags in _FIXED:
                break
        if (flags & _ACTOR) - 1 != seat and _is_anothers(state, flags, seat):
            break
        if marks[2 * count + 1] >> seat & 1:
            found.append(count)
            if len(found) == limit:
                break
    return found


def free_undo(state: State, seat: int) -> int:
    """Return how many plies the seat may take back without asking; 0 if none, or if no person sits there."""
    if not state.seats[seat].is_person:
        return 0
    targets = free_targets(state, seat, limit=1)
    return state.ply_count - targets[0] if targets else 0


def has_moved(state: State) -> bool:
    """Return whether a person has played here and not taken it back; a session of very many plies counts as one of those."""
    if state.ply_count > _LOOKED_AT:
        return True
    for flags in state.plies[::2]:  # noqa: SIM110 - with `any` it takes three times as long, and every action asks
        if flags & _PERSON:
            return True
    return False


def irrevocable_plies(state: State) -> int:
    """Return how many plies there are up to the last action of a seat that can never be taken back, whoever agrees.

    System actions do not count: not even changed options, or other players, let anybody roll again.
    """
    for count in range(state.ply_count, 0, -1):
        flags = state.plies[2 * (count - 1)]
        if flags & _ACTOR and flags & _REVEALS and not flags & _RETRACTABLE:
            return count
    return 0


def floor(state: State) -> int:
    """Return the minimum number of plies that remain if all agree."""
    for count in range(state.ply_count, 0, -1):
        if state.plies[2 * (count - 1)] in _FIXED:
            return count
    return 0
