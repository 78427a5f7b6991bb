"""Those who play while the cluster is hurt: bots of the client's package, through the gateway's endpoint."""

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from brettwerk.v1 import games_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk_client import Client, computer, me, refusals
from brettwerk_client.progress import OVER
from brettwerk_client.retries import Timing
from brettwerk_client.seat import Seat
from brettwerk_client.turns import OVERTAKEN, Turns
from deploy.cluster.trial.cluster import WAIT_S, wait
from deploy.cluster.trial.gate import Gate
from deploy.cluster.trial.ledger import Acknowledged, Ledger

GAME = "einstein"
LEVEL = "easy"
PLAY_S = 15.0
"""How long people play undisturbed, to have something to compare with."""
PAUSE_S = 0.25
"""Between two actions of a bot, so that two CPUs can bear it."""
TIMING = Timing(call_s=10.0, retries_s=300.0, max_pause_s=2.0)
"""Patient: what is counted is what was acknowledged and lost, and how long answers took."""
FINISHING_S = 600.0
JUDGES = 6
"""The threads that look at records at the same time."""


class Players:
    """Some tables at which bots play one game after the other against computers, until they are stopped."""

    def __init__(
        self,
        open_client: Callable[[str], Client],
        tables: int,
        game: str = GAME,
        level: str = LEVEL,
        ledger: Ledger | None = None,
    ) -> None:
        """`ledger` is that of others who play, to which this is to be added."""
        self.ledger = ledger or Ledger()
        self._open, self._game, self._level = open_client, game, level
        self._is_over = threading.Event()
        self._gate = Gate()
        self._tables = [threading.Thread(target=self._play, args=(f"Trial {game} {number}",)) for number in range(tables)]
        self._crowds = list[Players]()

    def crowd(self, tables: int, game: str, level: str) -> "Players":
        """Return further tables, at which what is acknowledged stands in the same ledger."""
        self._crowds.append(Players(self._open, tables, game, level, self.ledger))
        return self._crowds[-1]

    def begin(self) -> None:
        """Have everybody sit down."""
        for table in self._tables:
            table.daemon = True
            table.start()

    def finish(self) -> Sequence[str]:
        """Let everybody play their game to its end, or crowds resign; return the tables at which that did not happen in time."""
        self._is_over.set()
        self.go_on()
        until = time.monotonic() + FINISHING_S
        for table in self._tables:
            table.join(max(0.0, until - time.monotonic()))
        return [table.name for table in self._tables if table.is_alive()] + [
            name for one in self._crowds for name in one.finish()
        ]

    def play_on(self) -> None:
        """Wait until people have played for a while. Raises NotWell when nobody could act."""
        began = time.monotonic()
        wait(
            lambda: time.monotonic() - began > PLAY_S and len(self.ledger.since(began)) > 0,
            "nobody could act",
            WAIT_S,
            lambda: "; ".join(self.ledger.failures[-3:]),
        )

    def hold(self) -> bool:
        """Let nobody act from now on; return whether everybody is waiting for that, so that nothing changes any more."""
        return self._gate.shut(len(self._tables), FINISHING_S)

    def go_on(self) -> None:
        """Let everybody act again."""
        self._gate.open()

    def records(self) -> tuple[Mapping[str, record_pb2.Record], Sequence[str]]:
        """Return the records of all sessions, and the sessions of which the system says itself that they are not right."""
        sessions = self.ledger.sessions
        with ThreadPoolExecutor(JUDGES) as judges:
            found = list(judges.map(self._judged, [sessions[number::JUDGES] for number in range(JUDGES)]))
        records = {session: record for some, _ in found for session, record in some.items()}
        return records, [fault for _, wrong in found for fault in wrong]

    def _judged(self, sessions: Sequence[str]) -> tuple[Mapping[str, record_pb2.Record], Sequence[str]]:
        found, wrong = dict[str, record_pb2.Record](), []
        with self._open("Trial judge") as client:
            for session in sessions:
                try:
                    exported = client.call(client.service.ExportSession, play_pb2.ExportSessionRequest(session_id=session))
                    found[session] = exported.record
                    checked = client.call(client.service.VerifySession, play_pb2.VerifySessionRequest(session_id=session))
                except refusals.Refused as refused:
                    wrong.append(f"{session}: {refused}")
                    continue
                if not checked.verification.good:
                    wrong.append(f"{session}: {checked.verification.fault.message}")
        return found, wrong

    def _play(self, name: str) -> None:
        with self._open(name) as client:
            while not self._is_over.is_set():
                self._gate.enter()
                try:
                    seat = client.create_session(self._game, [me(), computer(self._level)]).seat
                except refusals.Refused as refused:
                    self.ledger.gave_up(f"no session: {refused}")
                    self._is_over.wait(1)
                    continue
                self.ledger.began(seat.session_id)
                self._play_game(seat)

    def _play_game(self, seat: Seat) -> None:
        turns = Turns()
        handed_over_s: float | None = None
        while True:
            try:
                for update in seat.watch():
                    if update.session.state in OVER:
                        self.ledger.ended()
                        return
                    if turns.wants(update):
                        if handed_over_s is not None:
                            self.ledger.answered(time.monotonic() - handed_over_s)
                        if self._is_over.is_set() and self._game != GAME:
                            seat.resign()  # such a game may last for long
                            continue
                        time.sleep(PAUSE_S)
                        self._gate.enter()
                        self._act(seat, update, turns)
                        handed_over_s = time.monotonic()
            except refusals.Refused as refused:
                self.ledger.gave_up(f"{seat.session_id}: {refused}")
                if isinstance(refused, refusals.Unknown):
                    return  # the session is gone, and with it what was acknowledged: the records will tell

    def _act(self, seat: Seat, update: sessions_pb2.Update, turns: Turns) -> None:
        choice: games_pb2.ActionChoice = random.choice(update.actions)  # noqa: S311 - a game, not a secret
        began = time.monotonic()
        try:
            version = seat.act(update, choice).version
        except OVERTAKEN:
            return
        now = time.monotonic()
        turns.acted(version)
        self.ledger.acted(
            Acknowledged(seat.session_id, version, seat.number, choice.action.SerializeToString(), now - began, now)
        )
