"""The origin of a session's chance, proved from its log: secrets, seed contributions, and its renewal."""

from brettwerk.v1 import record_pb2
from brettwerk_games.rules import chance
from services.runtime.refusal import damaged, malformed


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
