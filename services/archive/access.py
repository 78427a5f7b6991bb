"""Carries out work on a database in threads, each piece in one transaction, and brings its tables up to date before the first."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from services.archive.changes import Changes
from services.archive.migrations import Migrations
from services.archive.upkeep import StillMigrating, Upkeep
from services.runtime.logs import logger
from services.runtime.refusal import unavailable

T = TypeVar("T")
log = logger(__name__)


class Access:
    """Access to some tables of a database, which need not be there yet."""

    def __init__(self, engine: Engine, migrations: Migrations, name: str) -> None:
        """`name`: what refusals call it."""
        self._engine = engine
        self._name = name
        self._upkeep = Upkeep(engine, migrations, name)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, called in a thread within one transaction. Raises Refused (UNAVAILABLE)."""
        try:
            return await asyncio.to_thread(self.run_here, work)
        except StillMigrating as error:
            raise unavailable(self._name) from error
        except (OperationalError, InterfaceError, PoolTimeout, OSError) as error:
            self._upkeep.forget()  # what comes back may be another database
            log.warning("database out of reach", name=self._name, error=type(error).__name__, cause=_cause(error))
            raise unavailable(self._name) from error

    def run_here(self, work: Callable[[Connection], T]) -> T:
        """Return the same, done in this thread. Raises what SQLAlchemy raises, StillMigrating among it."""
        self._upkeep.require()
        with self._engine.begin() as connection:
            return work(connection)

    @property
    def is_shared(self) -> bool:
        """Whether it is a database for processes of several machines."""
        return self._engine.dialect.name != "sqlite"

    def changes(self) -> Changes:
        """Return what tells one caller whether anything may have been written."""
        return Changes(self._engine)

    def wait(self) -> None:
        """Return when the tables are up to date, however long that takes. Raises what SQLAlchemy raises."""
        self._upkeep.wait()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _cause(error: Exception) -> str:
    return str(getattr(error, "orig", error))[:200]
