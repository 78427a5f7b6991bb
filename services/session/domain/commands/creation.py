"""Creating sessions: new ones, rematches, and those that go on from a variation or a saved game."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2
from brettwerk_games.rules.chance import commitment
from services.runtime.player_text import TITLE_BYTES, clean_text, shown_text
from services.runtime.refusal import Refused, listed, malformed, wrong_seats
from services.session.domain import clocks, substitutes
from services.session.domain.bounds import ENTRIES, SETUP_BYTES
from services.session.domain.commands import access
from services.session.domain.commands.seats import computer, person, seat_changed
from services.session.domain.fair_play import REPLACED
from services.session.domain.plies import Variation, options_and_start
from services.session.domain.state import State


@dataclass(frozen=True, slots=True)
class Plan:
    """A session to create: its first entry, the seats that are filled or kept immediately, and those that the caller takes."""

    created: record_pb2.Entry
    seats: tuple[record_pb2.Entry, ...]
    granted: tuple[int, ...]
    secret: bytes = field(repr=False)
    next_secret: bytes = field(default=b"", repr=False)
    """The secret for a renewal of chance; empty for a session that begins with a secret that nobody knows."""

    @property
    def has_computers(self) -> bool:
        """Whether computers play in it from the beginning."""
        return any(entry.seat_changed.occupant.WhichOneof("kind") == "computer" for entry in self.seats)


@dataclass(frozen=True, slots=True)
class Save:
    """The game that a session goes on from: the contents of a record, or of another session.

    `secret`, `chance_of` and `seed_contributions` are set if it continues with the chance it had.
    """

    created: record_pb2.Created
    variation: Variation
    occupants: tuple[record_pb2.Occupant | None, ...]
    secret: bytes = field(default=b"", repr=False)
    chance_of: str = ""
    seed_contributions: tuple[bytes, ...] = ()
    saved_from: record_pb2.SavedFrom | None = None
    """The owners of its seats, if it hides anything; None otherwise."""
    without_help: bool = False
    """Whether its game may still be running between people who have not agreed to help (fair_play.py)."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The future players of the seats."""

    wishes: tuple[play_pb2.SeatWish, ...]
    kept_for: tuple[str, ...]
    """For each seat, the player it is kept for; empty for none."""
    held_by: tuple[str, ...]
    """The owners of the seats from now on."""
    is_without: bool
    """Whether a computer plays in somebody else's seat."""
    is_with_others: bool
    """Whether a seat is kept for somebody else."""


def plan(
    request: play_pb2.CreateSessionRequest,
    caller: session_pb2.Caller,
    facts: games_pb2.Game,
    secret: bytes,
    kept_for: Sequence[str] = (),
    *,
    arena: bool = False,
    arbiters: Sequence[record_pb2.Person] = (),
) -> Plan:
    """Return the plan of a new session. Raises Refused for an impossible session; options are checked by the rules.

    `kept_for` names, for each seat, the player it is kept for while it is open; empty for anybody. `arena`: whether the arena
    has paired them. `arbiters`: beside a creator who is one.
    """
    access.player(caller)
    if not facts.min_seats <= len(request.seats) <= len(facts.seats):
        raise wrong_seats(facts.id, facts.min_seats, len(facts.seats), len(request.seats))
    if request.HasField("start_position") and not facts.start_positions:
        raise malformed("start_position", "this game always starts from its own position")
    clock = deepcopy(request.clock)
    if clocks.is_slow(clock) and not clock.HasField("vacation_days"):
        clock.vacation_days = clocks.VACATION_DAYS
    _check_clock(clock)
    if request.settles and request.start_position.ByteSize() > SETUP_BYTES:
        raise Refused(errors_pb2.REASON_FULL, "the start position is too large for a table that settles")
    if request.practice and (request.public or request.competitive):
        raise malformed("practice", "practice is neither public nor competitive")
    if request.spectator_delay and not request.competitive:
        raise malformed("spectator_delay", "only competitive sessions have a delay for spectators")
    creator = person(caller).person
    if request.arbiter and (request.practice or any(wish.me for wish in request.seats)):
        raise malformed("arbiter", "an arbiter takes no seat, and practice has none")
    options, start = options_and_start(request)
    created = record_pb2.Created(
        game=request.game,
        rules_version=facts.rules_version,
        options=options,
        seats=len(request.seats),
        start_position=start,
        clock=clock if clock.kind else None,
        competitive=request.competitive,
        public=request.public,
        title=clean_text(request.title, "title", TITLE_BYTES, may_be_empty=True),
        tells_seats=facts.tells_seats,
        holds_seeds=facts.holds_seeds,
        counts_perceived=facts.hides_actions,
        settles=request.settles,
        practice=request.practice,
        arena=arena,
        spectator_delay=request.spectator_delay,
        least_reliability=request.least_reliability,
        creator=creator,
        arbiters=[creator] if request.arbiter else arbiters,
    )
    created.substitutes = request.substitutes if request.HasField("substitutes") else substitutes.are_usual(created)
    if created.substitutes and not substitutes.are_possible(created):
        raise malformed("substitutes", "practice, games of one and those that the server sets up have no substitutes")
    return _planned(created, creator, secret, *wishes(request.seats, caller, facts, kept_for=kept_for))


def wishes(
    asked: Sequence[play_pb2.SeatWish],
    caller: session_pb2.Caller,
    facts: games_pb2.Game,
    seed_contributions: Sequence[bytes] = (),
    kept_for: Sequence[str] = (),
) -> tuple[tuple[record_pb2.Entry, ...], tuple[int, ...]]:
    """Return the entries of the seats that are filled or kept immediately, and the seats that the caller takes.

    `seed_contributions` are final; without them, each wish brings its own. `kept_for` names, for each seat, the player it is kept
    for while it is open; empty for anybody. Raises Refused (MALFORMED) for a wish that names nobody.
    """
    entries, granted = [], []
    for number, wish in enumerate(asked):
        seed_contribution = seed_contributions[number] if seed_contributions else wish.seed_contribution
        match wish.WhichOneof("kind"):
            case "me" if wish.me:
                entries.append(seat_changed(number, person(caller), seed_contribution=seed_contribution))
                granted.append(number)
            case "computer":
                occupant = computer(wish.computer, facts, f"seats[{number}].computer")
                entries.append(seat_changed(number, occupant, seed_contribution=seed_contribution))
            case "open" if wish.open:
                kept = kept_for[number] if kept_for else ""
                if seed_contribution or kept:
                    entries.append(seat_changed(number, None, seed_contribution=seed_contribution, kept_for=kept))
            case _:
                raise malformed(f"seats[{number}]", "a wish must say who will sit there")
    return tuple(entries), tuple(granted)


def continued(
    save: Save,
    seats: Sequence[play_pb2.SeatWish],
    caller: session_pb2.Caller,
    facts: games_pb2.Game,
    draw_secret: Callable[[], bytes],
    *,
    public: bool = False,
    kept_for: Sequence[str] = (),
) -> Plan:
    """Return the plan of a session that continues a game, with the clock and title of its origin.

    With the chance of another session (`chance_of`), which the caller may know, it has a `next_secret` for strangers. It is
    casual, unless it continues a competitive game that hides things (`saved_from`; WEC-MODE-2). Without wishes for its seats the
    same computers play, and the others are open. Raises Refused (FULL, MALFORMED).
    """
    access.player(caller)
    variation, origin, saved_from = save.variation, save.created, save.saved_from
    secret, next_secret = save.secret or draw_secret(), draw_secret() if save.chance_of else b""
    seats = seats or default_wishes(save.occupants)
    if len(variation.plies) > ENTRIES:
        raise Refused(errors_pb2.REASON_FULL, f"the variation has more than {ENTRIES} plies, the maximum of a session")
    if len(seats) != origin.seats:
        raise malformed("seats", f"this game is played by {origin.seats}")
    _check_clock(origin.clock)
    created = record_pb2.Created(
        game=origin.game,
        rules_version=facts.rules_version,
        options=variation.options,
        seats=origin.seats,
        start_position=variation.start_position,
        clock=origin.clock if origin.HasField("clock") else None,
        public=public,
        variation=variation.plies,
        title=shown_text(origin.title, TITLE_BYTES),
        chance_of=save.chance_of,
        tells_seats=facts.tells_seats,
        holds_seeds=facts.holds_seeds,
        counts_perceived=facts.hides_actions,
        next_commitment=commitment(next_secret) if next_secret else b"",
        competitive=origin.competitive and saved_from is not None,
        saved_from=saved_from,
        without_help=save.without_help or origin.without_help,
        spectator_delay=origin.spectator_delay if saved_from is not None else 0,
    )
    entries, granted = wishes(seats, caller, facts, save.seed_contributions, kept_for)
    return _planned(created, person(caller).person, secret, entries, granted, next_secret)


def _check_clock(clock: record_pb2.ClockSpec) -> None:
    """Return if the clock is possible, or absent. Raises Refused (MALFORMED)."""
    if clock.kind not in record_pb2.ClockSpec.Kind.values():
        there = listed(record_pb2.ClockSpec.Kind.keys())
        raise malformed("clock.kind", f"there is no kind of clock {clock.kind}; there are: {there}")
    if clock.kind and not clock.time_ms:
        raise malformed("clock.time_ms", "a clock needs time")
    if clock.cap_ms and (clock.kind != clocks.TOTAL or clock.cap_ms < clock.time_ms):
        raise malformed("clock.cap_ms", "only a time for the whole game has a cap, and it begins with no more than that")
    if clock.claims and not (clock.kind == clocks.TOTAL and clocks.is_slow(clock)):
        raise malformed("clock.claims", "only a time of a day or more for the whole game is claimed")
    # Time that no cap bounds could run out in another century, which nobody wants to compute.
    if clock.rest_hours and not (clocks.is_slow(clock) and (clock.kind == clocks.PER_TURN or clock.cap_ms)):
        raise malformed("clock.rest_hours", "only clocks of a day or more have rest hours, and a time for the whole game a cap")
    if clock.vacation_days and not clocks.is_slow(clock):
        raise malformed("clock.vacation_days", "only clocks of a day or more have vacation")
    if clock.automatic_vacation and not clock.vacation_days:
        raise malformed("clock.automatic_vacation", "where there is no vacation, none begins by itself")


def default_wishes(occupants: Sequence[record_pb2.Occupant | None]) -> list[play_pb2.SeatWish]:
    """Return the default wishes: the same computer players, and open seats for people."""
    return [
        play_pb2.SeatWish(computer=occupant.computer)
        if occupant is not None and occupant.WhichOneof("kind") == "computer"
        else play_pb2.SeatWish(open=True)
        for occupant in occupants
    ]


def rotated_seats(count: int) -> tuple[int, ...]:
    """Return, for each seat of a rematch, where its player sat before: everybody moves on by one seat."""
    return tuple((seat - 1) % count for seat in range(count))


def rematch(state: State, start_position: AnyMessage | None, caller: session_pb2.Caller, seat: int | None, secret: bytes) -> Plan:
    """Return the plan of a rematch: everybody moved on by one seat, the caller seated, the other people's seats kept for them.

    `seat` is the caller's; None after the session has left the store, when the player's id must suffice. Raises Refused
    (STILL_RUNNING, NOT_YOUR_SEAT).
    """
    access.over(state)
    if seat is None:
        access.player(caller)
    asker = person(caller) if seat is None else state.seats[seat].occupant
    asking = asker.person.player_id if asker is not None else ""
    if not asking or asking not in [other.player_id for other in state.seats]:
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "only those who played can have a rematch")
    created = deepcopy(state.created)
    for name in ("variation", "start_position", "chance_of", "options", "next_commitment", "saved_from", "arena", "without_help"):
        created.ClearField(name)
    created.ClearField("arbiters")  # they were asked for that game
    if state.options is not None:
        created.options.CopyFrom(state.options)
    if start_position is not None:
        created.start_position.CopyFrom(start_position)
    entries, granted = [], []
    count = len(state.seats)
    for number, origin in enumerate(rotated_seats(count)):
        before = state.seats[origin]
        if before.player_id == asking:
            entries.append(seat_changed(number, before.occupant))
            granted.append(number)
        elif before.is_computer and not before.kept_for:
            entries.append(seat_changed(number, before.occupant))
        else:
            entries.append(seat_changed(number, None, kept_for=before.player_id or before.kept_for))
    assert asker is not None
    return _planned(created, asker.person, secret, tuple(entries), tuple(granted))


def _planned(
    created: record_pb2.Created,
    creator: record_pb2.Person,
    secret: bytes,
    seats: tuple[record_pb2.Entry, ...],
    granted: tuple[int, ...],
    next_secret: bytes = b"",
) -> Plan:
    created.creator.CopyFrom(creator)
    created.commitment = commitment(secret)
    return Plan(record_pb2.Entry(created=created), seats, granted, secret, next_secret)


def seating(
    asked: Sequence[play_pb2.SeatWish],
    player: str,
    held_by: Sequence[str],
    occupants: Sequence[record_pb2.Occupant | None],
    *,
    competitive: bool,
) -> Seating:
    """Return who will sit where if a player opens a saved game with hidden things; `held_by` says whose its seats are.

    Everybody sits in their own seat, and nobody in anyone else's: the others' seats are kept for them, or computers take their
    places. Players who open a game that is nobody else's may sit anywhere, as at the table itself, unless it is competitive
    (WEC-ONLINE-3, WEC-MODE-2).

    Without wishes, the player takes their own seats, the others' are kept for them, and the same computers play. Raises Refused:
    NOT_YOUR_SEAT for a wish to sit in another player's seat, or to open it to anybody; MALFORMED.
    """
    if asked and len(asked) != len(held_by):
        raise malformed("seats", f"this game is played by {len(held_by)}")
    defaults = (_default_wish(holder, occupant, player) for holder, occupant in zip(held_by, occupants, strict=True))
    wishes = tuple(asked) or tuple(defaults)
    is_own = not {*held_by} - {"", player}
    kept, replaced = [], []
    for number, (wish, holder) in enumerate(zip(wishes, held_by, strict=True)):
        kind = wish.WhichOneof("kind")
        is_free = is_own and not competitive
        if (kind == "me" and holder != player and not is_free) or (kind == "open" and holder in ("", REPLACED) and not is_free):
            message = "whoever opens a saved game with hidden things takes the own seat in it, and no other"
            raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, message, field=f"seats[{number}]")
        kept.append(holder if kind == "open" else "")
        replaced.append(kind == "computer" and holder not in ("", REPLACED, player))
    return Seating(
        wishes,
        tuple(kept),
        tuple(REPLACED if is_replaced else holder for holder, is_replaced in zip(held_by, replaced, strict=True)),
        is_without=any(replaced),
        is_with_others=bool({*kept} - {"", player}),
    )


def _default_wish(holder: str, occupant: record_pb2.Occupant | None, player: str) -> play_pb2.SeatWish:
    if holder == player:
        return play_pb2.SeatWish(me=True)
    if occupant is None or holder not in ("", REPLACED):
        return play_pb2.SeatWish(open=True)
    return play_pb2.SeatWish(computer=occupant.computer)
