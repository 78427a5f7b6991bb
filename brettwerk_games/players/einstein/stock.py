"""The endgame tables of a worker's machine: built in a process of their own, and changed when an operator asks for that."""

import contextlib
import subprocess
import sys
from pathlib import Path

from brettwerk_games.players.einstein.engine import COMPILED
from brettwerk_games.players.einstein.layout import MAX_STONES
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.build import delete, estimate, missing, room_for_more
from brettwerk_games.players.einstein.tables.files import MIN_STONES, files_above
from brettwerk_games.players.einstein.tables.lock import Busy, under_way
from brettwerk_games.players.endgame_tables import Fault, Offer, State

SMALL = place.STONES
"""Tables of up to so many stones are small."""
_END_S = 10.0


class Stock:
    """The tables of this machine, as `brettwerk_games.players.endgame_tables` has them; changed by one thread of a worker."""

    def __init__(self) -> None:
        """Nothing is being built yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._stones = 0
        self._fault = Fault.NONE

    def provide(self) -> None:
        """Start a process that builds the tables that are missing; it ends with this one. Uncompiled it would take days.

        Its output is in this process's log. Remains of an interrupted build are removed.
        """
        folder, most = place.folder(), place.stones()
        with contextlib.suppress(Busy, OSError):
            delete(folder, MAX_STONES)
        if COMPILED and most >= MIN_STONES and missing(folder, most) and not self.is_building():
            self._build(folder, most)

    def is_building(self) -> bool:
        """Return whether a process of this one builds tables."""
        process = self._process  # another thread may ask
        return process is not None and process.poll() is None

    def state(self) -> State:
        """Return how it stands."""
        if self._process is not None and (code := self._process.poll()) is not None:
            self._process = None
            self._fault = Fault.FAILED if code else Fault.NONE
        folder, under, room, large = place.folder(), None, 0, 0
        lacking = missing(folder, MAX_STONES)
        with contextlib.suppress(OSError):
            under = under_way(folder)
            room = room_for_more(folder, place.bound())
            large = sum(file.stat().st_size for file in files_above(folder, SMALL))
        reach = lacking[0] - 1 if lacking else MAX_STONES
        return State(
            stones=reach if reach >= MIN_STONES else 0,
            large_bytes=large,
            room=room,
            building=under.stones if under else 0,
            share=under.share if under else 0.0,
            left_s=under.left_s if under else 0.0,
            fault=self._fault,
            offers=tuple(
                Offer(stones, *estimate([one for one in lacking if one <= stones])) for stones in lacking if stones > SMALL
            ),
        )

    def change(self, stones: int) -> None:
        """Have tables of up to so many stones built, and delete larger ones; returns at once. The small ones always stay."""
        folder, most = place.folder(), max(stones, SMALL)
        if self.is_building() and self._stones == most:
            return
        self._end()
        self._fault = Fault.NONE
        try:
            delete(folder, most)
            lacking = missing(folder, most)
            if estimate(lacking)[0] > room_for_more(folder, place.bound()):
                self._fault = Fault.NO_ROOM
            elif lacking:
                self._build(folder, most)
        except Busy:
            self._fault = Fault.BUSY
        except OSError:
            self._fault = Fault.FAILED

    def _build(self, folder: Path, most: int) -> None:
        command = [sys.executable, "-m", "brettwerk_games.players.einstein.tables", "--dying-with-parent"]
        command += ["--folder", str(folder), "--stones", str(most)]
        self._stones = most
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603 - our own module

    def _end(self) -> None:
        """End what is being built here, and with it what there is of the table."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_END_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
