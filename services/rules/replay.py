"""Replays a session from its log: every entry that affects play is carried out again by the rules, and its chance is proved.

A ply is counted from 1; ply 0 is the set-up. The variation of a fork or a load (`variation`) was played in another session: its
steps are repeated with the seeds that it carries, and the session's own plies go on counting after it.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.rules import chance
from brettwerk_games.rules.interface import Kind, Step
from services.rules.answers import begin, begun_by, chosen_options
from services.rules.any_codec import AnyCodec, any_codec, any_codec_of_session
from services.rules.arbitration import Arbitration
from services.rules.options import dealt_options, split_change
from services.rules.plies import carry_out
from services.runtime.record_check import check_entry, check_game
from services.runtime.refusal import Refused, damaged, malformed


class Proof:
    """Compares what a log says about chance with what its secrets result in. Its methods raise Refused if they differ."""

    def __init__(self, record: record_pb2.Record) -> None:
        self._record = record
        self._contributions: dict[int, bytes] = {}
        self.renewal: record_pb2.ChanceRenewal | None = None
        """When chance was renewed, once it was."""
        self._newcomer: record_pb2.ChanceRenewed | None = None
        """For whom chance was renewed by the entry before, and who has to sit down with this one."""

    @property
    def has_secrets(self) -> bool:
        """Whether there is a secret for every seed of the session's own plies."""
        return bool(self._record.secret) and (self.renewal is None or bool(self._record.next_secret))

    def create(self, created: record_pb2.Created) -> None:
        """Take the creation. Raises Refused (damaged) where the secret is another one than was promised."""
        if self._record.secret and chance.commitment(self._record.secret) != created.commitment:
            raise damaged("the secret is not the one whose hash was published", "created.commitment")

    def require_newcomer(self, which: str) -> None:
        """Raise Refused (damaged) where the entry before renewed chance, and this one does not seat a player."""
        if self._newcomer is not None and which != "seat_changed":
            raise damaged("chance was renewed, and nobody sat down", "chance_renewed")

    def end(self) -> None:
        """Raise Refused (damaged) where something is missing after the last entry."""
        self.require_newcomer("")
        if self._record.next_secret and self.renewal is None:
            raise damaged("there is a secret for renewed chance, but it was not renewed", "next_secret")

    def contribute(self, seat: int, contribution: bytes) -> None:
        """Take the contribution of who sits down before the game begins."""
        self._contributions[seat] = contribution

    def sit_down(self, created: record_pb2.Created, change: record_pb2.SeatChanged) -> None:
        """Take the player who sits down.

        Raises Refused (damaged) where the player may not know the chance that there is, or it was renewed for another one.
        """
        newcomer, self._newcomer = self._newcomer, None
        player = change.occupant.person.player_id
        is_stranger = change.occupant.WhichOneof("kind") == "person" and player != created.creator.player_id
        if newcomer is not None:
            if not is_stranger or change.seat != newcomer.seat or change.seed_contribution != newcomer.seed_contribution:
                raise damaged("chance was renewed for another one than sat down", "seat_changed")
        elif is_stranger and created.next_commitment and self.renewal is None:
            raise damaged("a person sat down who did not bring the saved game, and chance was not renewed", "seat_changed")

    def renew(
        self, number: int, created: record_pb2.Created, renewed: record_pb2.ChanceRenewed, plies: int, *, is_closed: bool
    ) -> None:
        """Let chance come from the next secret, with this session's own id and the contributions that there are from now on.

        Raises Refused (damaged) where chance cannot be renewed there, or the secret is another one than was promised.
        """
        secret = self._record.next_secret
        if not created.chance_of or self.renewal is not None or is_closed:
            raise damaged("chance is renewed once, in a game that goes on with the chance of another", "chance_renewed")
        if renewed.seat >= created.seats:
            raise damaged(f"there is no seat {renewed.seat}", "chance_renewed.seat")
        if created.next_commitment and renewed.commitment != created.next_commitment:
            raise damaged("another secret was promised when the session was created", "chance_renewed.commitment")
        if secret and chance.commitment(secret) != renewed.commitment:
            raise damaged("the next secret is not the one whose hash was published", "chance_renewed.commitment")
        self._contributions[renewed.seat] = renewed.seed_contribution
        self._newcomer = renewed
        self.renewal = record_pb2.ChanceRenewal(version=number, plies=plies)

    def check_deal(self, seats: int, seed: bytes) -> None:
        """Raise Refused (damaged, MALFORMED) unless seats were assigned by the lot that follows from the secret."""
        secret = self._record.secret
        if secret and seed != chance.deal_seed(secret, self._record.session_id, self._of(seats)):
            raise damaged("the seed of the deal is not the one that the secret gives", "dealt.seed")
        if len(seed) != chance.SEED_BYTES:
            raise malformed("dealt.seed", f"a seed has {chance.SEED_BYTES} bytes, not {len(seed)}")

    def step_seed(self, created: record_pb2.Created, ply: int, written: bytes, field: str, *, has_chance: bool) -> bytes:
        """Return the seed of one of the session's own plies. Raises Refused (damaged) where a secret gives another one."""
        secret = self._record.secret if self.renewal is None else self._record.next_secret
        if not secret:
            return written if written or has_chance else bytes(chance.SEED_BYTES)
        chance_of = created.chance_of if self.renewal is None else ""
        seed = chance.step_seed(secret, chance_of or self._record.session_id, ply, self._of(created.seats))
        if written != seed:
            raise damaged(f"the seed of ply {ply} is not the one that the secret gives", field)
        return seed

    def _of(self, seats: int) -> list[bytes]:
        return [self._contributions.get(seat, b"") for seat in range(seats)]


_Origin: TypeAlias = record_pb2.Created | record_pb2.Loaded
"""An entry that tells with which options and from which position a variation begins."""


class Replay:
    """A session being replayed. Its methods raise Refused or GameRefusal if the log is wrong."""

    def __init__(self, record: record_pb2.Record, go_on: Callable[[], bool]) -> None:
        """Take the record; `go_on` is asked before every ply whether there is still time."""
        self.position: Any = None
        self.plies_replayed = 0
        self.has_started = False
        self._record = record
        self._go_on = go_on
        self._created = record_pb2.Created()
        self._proof = Proof(record)
        self._wishes: dict[int, int] = {}
        self._players: dict[int, str] = {}
        self._computers = 0
        self._plies = 0
        self._fixed_plies = 0
        """Plies of the variation from before chance was renewed, or an arbiter's ruling, which are not taken back."""
        self._for_good = 0
        """Plies up to the last action that is never taken back."""
        self._reveals: list[bool] = []
        self._is_closed = False
        self._is_paused = False
        self._arbitration = Arbitration()
        # Positions are kept only where the log goes back to them: a long game would fill the memory.
        self._goals = {entry.undone.plies for entry in record.entries if entry.WhichOneof("change") == "undone"}
        self._kept: dict[int, Any] = {}

    @property
    def plies(self) -> int:
        """The number of the last ply that stands; what was taken back does not count."""
        return self._plies

    @property
    def is_proved(self) -> bool:
        """Whether every seed of the session's own plies was compared with what its secret gives."""
        return self._proof.has_secrets and self.has_started

    @property
    def renewal(self) -> record_pb2.ChanceRenewal | None:
        """When chance was renewed, once it was."""
        return self._proof.renewal

    def end(self) -> None:
        """Return if nothing is missing after the last entry."""
        self._proof.end()
        self._arbitration.end()

    @property
    def any_codec(self) -> AnyCodec:
        """The any_codec of the game. Raises Refused (UNKNOWN)."""
        return any_codec(self._record.game)

    def repeat(self, number: int, entry: record_pb2.Entry) -> None:
        """Carry out the entry that has to be version `number`. Raises Refused (damaged) or GameRefusal where it cannot be."""
        if entry.version != number:
            raise damaged(f"the entry in place {number} has version {entry.version}")
        which = check_entry(entry)
        if (which == "created") != (number == 1):
            raise damaged("a log begins with the creation, and there is no other")
        self._proof.require_newcomer(which)
        self._arbitration.require(which)
        match which:
            case "created":
                self._create(entry.created)
            case "seat_changed":
                self._change_seat(entry.seat_changed)
            case "chance_renewed":
                self._renew(number, entry.chance_renewed)
            case "started":
                self._start(entry.started)
            case "acted":
                self._act(entry.acted)
            case "undone":
                self._undo(entry.undone)
            case "loaded":
                self._load(entry.loaded)
            case "settled":
                self._settle(entry.settled)
            case "wished":
                self._wish(entry.wished)
            case "dealt":
                self._deal(entry.dealt)
            case "paused":
                self._arbitration.check_paused(entry.paused)
                self._is_paused = entry.paused.paused
            case "arbiter_named":
                self._arbitration.name(entry.arbiter_named, has_started=self.has_started)
            case "arbiter_acted":
                self._require_running()
                self._is_paused = self._arbitration.rule(entry.arbiter_acted, is_paused=self._is_paused)
            case "closed":
                self._is_closed = True
            case _:
                pass  # proposals, answers, credits, vacations, hints, substitutes and rematches do not touch the play

    def _create(self, created: record_pb2.Created) -> None:
        self._created.CopyFrom(created)
        self._arbitration.create(created)
        check_game(self._record, created)
        facts = self.any_codec.game.facts
        any_codec_of_session(created.game, created.rules_version)
        is_other = created.rules_version != facts.rules_version
        if created.holds_seeds != facts.holds_seeds and (created.holds_seeds or not is_other):
            raise damaged("these rules have seeds that are held, or have none, otherwise", "created.holds_seeds")
        self._proof.create(created)
        if created.variation:
            self._repeat_variation(created.variation, created)

    def _change_seat(self, change: record_pb2.SeatChanged) -> None:
        if change.seat >= self._created.seats:
            raise damaged(f"there is no seat {change.seat}", "seat_changed.seat")
        self._proof.sit_down(self._created, change)
        bit = 1 << change.seat
        self._computers = self._computers & ~bit | (bit if change.occupant.WhichOneof("kind") == "computer" else 0)
        if not self.has_started:
            self._proof.contribute(change.seat, change.seed_contribution)
            self._wishes.pop(change.seat, None)
            player = change.occupant.person.player_id
            self._players[change.seat] = player

    def _renew(self, number: int, renewed: record_pb2.ChanceRenewed) -> None:
        plies = max(0, self._plies)
        self._proof.renew(number, self._created, renewed, plies, is_closed=self._is_closed)
        self._fixed_plies = plies

    def _settle(self, settled: record_pb2.Settled) -> None:
        """Begin otherwise. A change that a seat made for itself must be its own."""
        self._require_settling()
        before, created = self._created, record_pb2.Created()
        created.CopyFrom(before)
        for name in ("options", "start_position"):
            created.ClearField(name)
            if settled.HasField(name):
                getattr(created, name).CopyFrom(getattr(settled, name))
        del created.variation[:]
        created.variation.extend(settled.variation)
        if settled.seat:
            parts = split_change(self.any_codec, self._options(before), self._options(created), settled.seat - 1)
            if parts.common is not None or parts.is_anothers or settled.variation:
                raise damaged("a seat changed more than what is its own", "settled.options")
        self._created = created
        for seat, player in self._players.items():
            if player and player in settled.held_by:
                self._wishes[seat] = list(settled.held_by).index(player)
        self.position = None
        if created.variation:
            self._repeat_variation(created.variation, created)

    def _wish(self, wished: record_pb2.Wished) -> None:
        self._require_settling()
        if max(wished.seat, wished.wished - 1) >= self._created.seats:
            raise damaged("there is no such seat", "wished")
        self._wishes.pop(wished.seat, None)
        if wished.wished:
            self._wishes[wished.seat] = wished.wished - 1

    def _deal(self, dealt: record_pb2.Dealt) -> None:
        """Deal the seats: by the wishes, and by a lot that the secret gives."""
        self._require_settling()
        count = self._created.seats
        self._proof.check_deal(count, dealt.seed)
        order = chance.deal([self._wishes.get(seat) for seat in range(count)], dealt.seed)
        if order != tuple(dealt.order):
            raise damaged("the wishes and the lot give the seats to others", "dealt.order")
        self._computers = sum(1 << seat for seat, origin in enumerate(order) if self._computers >> origin & 1)
        if not self._created.variation:
            options = dealt_options(self.any_codec, self._options(self._created), order)
            if dealt.HasField("options"):
                self._created.options.CopyFrom(dealt.options)
            if self._options(self._created) != options:
                raise damaged("what belongs to a seat did not go along with its person", "dealt.options")

    def _options(self, created: record_pb2.Created) -> Any:
        """Return the options of a game that has not begun."""
        return chosen_options(self.any_codec, created.options if created.HasField("options") else None, created.seats)

    def _require_settling(self) -> None:
        if self.has_started or self._is_closed or not self._created.settles:
            raise Refused(errors_pb2.REASON_NOT_SETTLING, "this table is not settling anything now")

    def _start(self, started: record_pb2.Started) -> None:
        if self.has_started or self._is_closed:
            raise damaged("the game begins twice, or after its end")
        self.has_started = True
        if self.position is not None:
            if started.seed:
                raise damaged("a game that goes on from a variation has no set-up of its own", "started.seed")
            return
        seed = self._seed(0, started.seed, "started.seed")
        self._begin(self._created, seed, self._created.rules_version)

    def _act(self, acted: record_pb2.Acted) -> None:
        self._require_running()
        ply = acted.ply
        if self._is_paused and ply.WhichOneof("kind") == "action":
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "the game is paused")
        if self._created.competitive and ply.system_action.WhichOneof("kind") == "options":
            raise Refused(errors_pb2.REASON_COMPETITIVE, "in a competitive game options cannot be changed")
        if ply.system_action.WhichOneof("kind") == "computers" and ply.system_action.computers != self._computers:
            raise damaged("the game was told that others play than did", "acted.ply.system_action")
        is_ruled = self._arbitration.check_acted(acted)
        if acted.cause == record_pb2.Acted.CAUSE_TIME and ply.WhichOneof("kind") == "action":
            self._require_expiry(ply)
        if ply.held != self._created.holds_seeds:
            raise damaged("the seed is held, or it is not, otherwise than the session has it", "acted.ply.held")
        seed = self._seed((self._for_good if ply.held else self._plies) + 1, ply.seed, "acted.ply.seed")
        self._repeat_ply(ply, seed)
        if is_ruled:
            self._fixed_plies = self._plies

    def _undo(self, undone: record_pb2.Undone) -> None:
        self._require_open()
        if self._created.competitive:
            raise Refused(errors_pb2.REASON_COMPETITIVE, "in a competitive game nothing can be taken back")
        if undone.plies >= self._plies:
            raise damaged(f"{self._plies} plies have been played, so {undone.plies} cannot remain", "undone.plies")
        if undone.plies < self._fixed_plies:
            raise damaged("plies from before chance was renewed, or from before a ruling, were taken back", "undone.plies")
        if any(self._reveals[undone.plies + 1 :]):
            raise damaged("a ply that revealed something was taken back", "undone.plies")
        self.position = self._kept[undone.plies]
        self._plies = undone.plies
        del self._reveals[undone.plies + 1 :]

    def _load(self, loaded: record_pb2.Loaded) -> None:
        self._require_open()
        if not loaded.variation:
            raise damaged("the variation that was loaded is empty", "loaded.variation")
        self._fixed_plies = 0
        self._repeat_variation(loaded.variation, loaded)

    def _repeat_variation(self, variation: Sequence[record_pb2.Ply], source: _Origin) -> None:
        first = variation[0]
        if first.actor or first.WhichOneof("kind") is not None or first.notation:
            raise damaged("the first ply of a variation must be the set-up", "variation[0]")
        self._begin(source, first.seed, begun_by(self.any_codec, first))
        for ply in variation[1:]:
            self._repeat_ply(ply, ply.seed)

    def _begin(self, source: _Origin, seed: bytes, rules_version: str) -> None:
        options = source.options if source.HasField("options") else None
        start = source.start_position if source.HasField("start_position") else None
        step = begin(self.any_codec, options, self._created.seats, start, seed, rules_version)
        self._plies = -1
        self._for_good = 0
        self._reveals = []
        self._kept = {}
        self._take(step)

    def _repeat_ply(self, ply: record_pb2.Ply, seed: bytes) -> None:
        if not self._go_on():
            raise Refused(errors_pb2.REASON_DEADLINE, "the check took too long")
        game = self.any_codec.game
        if len(seed) != chance.SEED_BYTES:
            raise malformed("ply.seed", f"a step seed has {chance.SEED_BYTES} bytes, not {len(seed)}")
        seats = game.seats(self.position)
        before = self.any_codec.counting(self.position, ply.held)
        match ply.WhichOneof("kind"):
            case "action":
                if not 1 <= ply.actor <= seats:
                    raise damaged("an action names its seat", "ply.actor_seat")
                seat = ply.actor - 1
                action = self.any_codec.unpack(Kind.ACTION, ply.action, "ply.action")
                step = game.apply(before, seat, action, seed)
                notation = game.write(game.view(before, seat), action)
            case "system_action":
                if ply.actor:
                    raise damaged("a system action names no seat", "ply.actor_seat")
                step = carry_out(self.any_codec, before, ply.system_action, seed)
                notation = ""
            case _:
                raise damaged("the ply does not say what was done", "ply.kind")
        if ply.notation != notation:
            raise damaged(f"what was played is written {notation!r}, not {ply.notation!r}", "ply.notation")
        self._take(step, by_seat=bool(ply.actor))
        self.plies_replayed += 1

    def _take(self, step: Step[Any, Any], *, by_seat: bool = False) -> None:
        self.position = step.position
        self._plies += 1
        self._reveals.append((step.reveals and not step.retractable) or step.final)
        if by_seat and self._reveals[-1]:
            # Never taken back, so from here on there is another seed.
            self._for_good = self._plies
        if self._plies in self._goals:
            self._kept[self._plies] = step.position

    def _seed(self, ply: int, written: bytes, field: str) -> bytes:
        return self._proof.step_seed(self._created, ply, written, field, has_chance=self.any_codec.game.facts.chance)

    def _require_open(self) -> None:
        if not self.has_started or self._is_closed:
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "the game is not being played here")

    def _require_running(self) -> None:
        self._require_open()
        if not self.any_codec.game.to_act(self.position):
            raise Refused(errors_pb2.REASON_GAME_OVER, "the game was over already")

    def _require_expiry(self, ply: record_pb2.Ply) -> None:
        game = self.any_codec.game
        action = self.any_codec.unpack(Kind.ACTION, ply.action, "ply.action")
        if ply.actor and action != game.expire(game.view(self.position, ply.actor - 1)):
            raise damaged("time was over, but it was not the action that the rules name", "acted.ply.action")
