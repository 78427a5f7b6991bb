"""Keeps tables up to date for those who use them: a thread migrates, and nobody waits for it longer than for a statement."""

import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet

from sqlalchemy import Engine
from sqlalchemy.exc import TimeoutError as TakesTooLong

from services.archive.database import WAIT_S
from services.archive.migrations import Migrations
from services.archive.schema import bring_up_to_date


class StillMigrating(TakesTooLong):
    """The tables are being brought up to date, here or by another process."""


class Upkeep:
    """The tables of one set of migrations in a database."""

    def __init__(self, engine: Engine, migrations: Migrations, name: str) -> None:
        """`name`: of the database, for people."""
        self._engine = engine
        self._migrations = migrations
        self._name = name
        self._lock = threading.Lock()
        self._running: Future[None] | None = None
        self._until = 0.0

    def require(self, wait_s: float = WAIT_S) -> None:
        """Return when the tables are up to date.

        Raises StillMigrating if that takes longer than `wait_s` from its beginning, at once for those who come later; and what
        SQLAlchemy raises if it fails: the next call begins again.
        """
        with self._lock:
            if self._running is None:
                self._running = Future()
                self._until = time.monotonic() + wait_s
                threading.Thread(target=self._run, args=(self._running,), name="migrating", daemon=True).start()
            running, until = self._running, self._until
        try:
            running.result(max(0.0, until - time.monotonic()))
        except NotYet:
            raise StillMigrating(f"the tables of the {self._name} are being brought up to date") from None
        except Exception:
            self._forget(running)
            raise

    def wait(self) -> None:
        """Return when the tables are up to date, however long that takes. Raises what SQLAlchemy raises if it fails."""
        while True:
            try:
                return self.require()
            except StillMigrating:
                time.sleep(1)

    def forget(self) -> None:
        """Look again with the next call: what comes back may be another database. Work under way goes on."""
        with self._lock:
            running = self._running
        if running is not None and running.done():
            self._forget(running)

    def _forget(self, running: "Future[None]") -> None:
        with self._lock:
            if self._running is running:
                self._running = None

    def _run(self, running: "Future[None]") -> None:
        try:
            bring_up_to_date(self._engine, self._migrations)
        except BaseException as error:  # noqa: BLE001 - it is raised by those who wait
            running.set_exception(error)
        else:
            running.set_result(None)
