"""The gauges by which operators see sessions that run, and an archive that does not keep up."""

from pathlib import Path
from typing import Any

from prometheus_client import REGISTRY

from services.archive.archive import Archive
from services.session.app.background.archivist import SessionGauges
from services.sharding.shards import SHARDS
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two


def gauges(table: Table, archive: Archive | None = None) -> SessionGauges:
    return SessionGauges(table.wiring.store, archive or table.wiring.archive, lambda: range(SHARDS))


def shown(name: str) -> float | None:
    return REGISTRY.get_sample_value(f"brettwerk_{name}")


async def looked(table: Table) -> tuple[float | None, float | None]:
    await gauges(table).look_at_sessions()
    return shown("sessions_unfinished"), shown("archive_waiting")


async def test_a_session_counts_until_it_is_over_and_then_waits_until_the_archive_has_it(table: Table) -> None:
    anna, ben, game = await two(table)
    await anna.create("me", "open")
    assert await looked(table) == (2, 0)
    await ben.resign(game, 1)
    assert await looked(table) == (1, 1)
    assert (shown("archive_oldest_wait_seconds") or 0) > 0
    await table.sweep()
    assert await table.wiring.archive.find(game) is not None
    assert await looked(table) == (1, 0)
    assert shown("archive_oldest_wait_seconds") == 0
    table.clock.pass_s(3601)
    await table.sweep()
    assert await table.wiring.store.read(game) is None
    assert await looked(table) == (1, 0)


async def test_a_game_whose_end_is_taken_back_goes_on_counting(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    await play_out((anna, anna), session.id)
    assert await looked(table) == (0, 1)
    update = await anna.see(session.id)
    (winner,) = update.session.outcome.winners
    await anna.undo(session.id, winner, update.session.plies - 1)
    assert await looked(table) == (1, 0)


async def test_only_sessions_of_shards_of_this_process_count(table: Table) -> None:
    await two(table)
    await SessionGauges(table.wiring.store, table.wiring.archive, lambda: ()).look_at_sessions()
    assert (shown("sessions_unfinished"), shown("archive_waiting")) == (0, 0)


async def test_an_archive_that_cannot_be_reached_is_not_up(table: Table, tmp_path: Path) -> None:
    await gauges(table).look_at_archive()
    assert shown("archive_up") == 1
    (tmp_path / "folder").write_text("a file where the folder is to be")
    gone: Any = Archive.open(f"sqlite:///{tmp_path}/folder/archive.sqlite3")
    await gauges(table, gone).look_at_archive()
    gone.close()
    assert shown("archive_up") == 0
