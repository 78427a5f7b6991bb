"""Those who use the tables while a migration takes longer than a statement may."""

import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from services.archive.access import Access
from services.archive.database import WAIT_S, open_engine
from services.runtime.refusal import Refused
from tests.services.archive.cluster import Cluster
from tests.services.archive.made import made_of

SLOW = f"op.execute('SELECT pg_sleep({WAIT_S + 2})')"
TABLE = "op.create_table('slow', sa.Column('id', sa.Integer, primary_key=True))"


@pytest.fixture
def engine(cluster: Cluster) -> Engine:
    return open_engine(cluster.create("upkeep"))


@pytest.mark.slow
async def test_a_migration_may_take_longer_than_a_statement_and_everybody_else_is_refused_in_bounded_time(
    engine: Engine, tmp_path: Path
) -> None:
    migrations = made_of(tmp_path / "made", f"{SLOW}\n{TABLE}")
    one, another = Access(engine, migrations, "archive"), Access(engine, migrations, "archive")

    def count_in(access: Access) -> int:
        return access.run_here(lambda connection: int(connection.scalar(text("SELECT count(*) FROM slow")) or 0))

    began = time.monotonic()
    waiting = threading.Thread(target=another.wait)  # as a program for the command line does
    waiting.start()
    with pytest.raises(Refused, match="cannot be reached"):
        await one.run(lambda connection: None)
    assert WAIT_S <= time.monotonic() - began < WAIT_S + 2
    with pytest.raises(Refused):
        await one.run(lambda connection: None)
    assert time.monotonic() - began < WAIT_S + 2  # who comes later does not wait at all
    waiting.join(60)
    one.wait()
    assert (count_in(one), count_in(another)) == (0, 0)
    one.close()
