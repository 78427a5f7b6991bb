"""The rulings of arbiters in a record: only an arbiter of the table rules, and the entries that follow say what was ruled."""

from brettwerk.v1 import record_pb2
from services.runtime.refusal import damaged

_ARBITER = record_pb2.Acted.CAUSE_ARBITER


class Arbitration:
    """The arbiters of a session that is replayed, and what they have ruled."""

    def __init__(self) -> None:
        self._arbiters: set[str] = set()
        self._is_halted = False
        self._forfeits: list[int] = []
        """The seats that may forfeit now by a ruling, in that order."""
        self._is_drawn = False
        self._is_due = False
        """Whether the next entry has to carry a ruling out."""

    def create(self, created: record_pb2.Created) -> None:
        """Take those who are arbiters from the beginning."""
        self._arbiters = {one.player_id for one in created.arbiters}

    def require(self, change: str) -> None:
        """Return for an entry that may come next. Raises Refused (damaged)."""
        if self._is_due and change != "acted":
            raise damaged("a ruling is carried out by the entry that follows it", change)
        if change != "acted":
            self._forfeits.clear()

    def name(self, named: record_pb2.ArbiterNamed, *, has_started: bool) -> None:
        """Take another arbiter, or one less. Raises Refused (damaged)."""
        player = named.arbiter.player_id
        if not player or (player in self._arbiters) != named.withdrawn or (has_started and not named.withdrawn):
            raise damaged("that player cannot become an arbiter here, or stop being one", "arbiter_named.arbiter")
        (self._arbiters.remove if named.withdrawn else self._arbiters.add)(player)

    def rule(self, acted: record_pb2.ArbiterActed, *, is_paused: bool) -> bool:
        """Take a ruling; return whether the game is paused after it, given whether it was. Raises Refused (damaged)."""
        ruling = acted.ruling
        if acted.arbiter.player_id not in self._arbiters:
            raise damaged("only an arbiter of the table rules there", "arbiter_acted.arbiter")
        if not ruling.reason:
            raise damaged("a ruling has a reason", "arbiter_acted.ruling.reason")
        match ruling.WhichOneof("kind"):
            case "pause":
                if self._is_halted if ruling.pause else not is_paused:
                    raise damaged("the game is stopped, or not, already", "arbiter_acted.ruling.pause")
                self._is_halted = ruling.pause
                return ruling.pause
            case "forfeited_seat":
                self._forfeits, self._is_due = [ruling.forfeited_seat], True
            case "ranking":
                self._forfeits, self._is_due = list(reversed(ruling.ranking.seats[1:])), True
            case "draw":
                self._is_drawn = self._is_due = True
            case None:
                raise damaged("a ruling says what is ruled", "arbiter_acted.ruling")
        return is_paused

    def check_paused(self, paused: record_pb2.Paused) -> None:
        """Return if players may have stopped or restarted the clocks. Raises Refused (damaged)."""
        if self._is_halted and not paused.paused:
            raise damaged("players do not restart a game that an arbiter has stopped", "paused")

    def check_acted(self, acted: record_pb2.Acted) -> bool:
        """Return whether an entry carries a ruling out, which has to be what was ruled. Raises Refused (damaged)."""
        if acted.cause != _ARBITER:
            if self._is_due:
                raise damaged("a ruling is carried out by the entry that follows it", "acted.cause")
            self._forfeits.clear()
            return False
        self._is_due = False
        ply = acted.ply
        kind = ply.system_action.WhichOneof("kind") if ply.WhichOneof("kind") == "system_action" else None
        if kind == "draw" and self._is_drawn:
            self._is_drawn = False
        elif kind == "resign" and ply.system_action.resign in self._forfeits:
            del self._forfeits[: self._forfeits.index(ply.system_action.resign) + 1]
        else:
            raise damaged("no arbiter has ruled that", "acted.ply")
        return True

    def end(self) -> None:
        """Return if nothing is missing after the last entry. Raises Refused (damaged)."""
        if self._is_due:
            raise damaged("a ruling is not carried out", "entries")
