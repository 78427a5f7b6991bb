"""Saved games in the archive: found in the lists of those who play, and bounded."""

from dataclasses import replace

import pytest

from services.archive.archive import Archive
from services.archive.saved_games import SAVES_PER_PLAYER, SAVES_PER_SESSION, SUMMARY_BYTES, Saved, SavedGames

ONE = Saved(
    save_id="07abcdefghijklmnopqrstuv.9",
    session_id="07abcdefghijklmnopqrstuv",
    game="wec",
    saved_by="anna",
    players=("anna", "bert"),
    saved_at_ms=1_700_000_000_000,
    summary=b"summary",
    record=b"record" * 100,
)


def numbered(number: int, session: int = 0, players: tuple[str, ...] = ONE.players) -> Saved:
    session_id = f"07{session:022}"
    return replace(
        ONE, save_id=f"{session_id}.{number}", session_id=session_id, saved_at_ms=ONE.saved_at_ms + number, players=players
    )


async def ids(saved: SavedGames, player: str) -> list[str]:
    return [line.cursor.session_id for line in await saved.list_player(player)]


async def test_a_saved_game_is_found_by_its_players_and_by_them_alone(archive: Archive) -> None:
    saved = SavedGames(archive)
    assert await saved.keep(ONE)
    for player in ONE.players:
        assert await saved.find(player, ONE.save_id) == ONE.record
        assert [line.summary for line in await saved.list_player(player)] == [ONE.summary]
    assert await saved.find("cleo", ONE.save_id) is None
    assert await saved.list_player("cleo") == []
    assert await saved.list_player("anna", game="emperado") == []


async def test_a_save_is_deleted_when_its_last_holder_forgets_it(archive: Archive) -> None:
    saved = SavedGames(archive)
    await saved.keep(ONE)
    await saved.forget("anna", ONE.save_id)
    await saved.forget("anna", ONE.save_id)
    assert await saved.find("bert", ONE.save_id) == ONE.record
    await saved.forget("bert", ONE.save_id)
    await saved.keep(replace(ONE, record=b"another"))
    assert await saved.find("bert", ONE.save_id) == b"another"


async def test_the_oldest_make_room(archive: Archive) -> None:
    saved = SavedGames(archive)
    for number in range(SAVES_PER_SESSION + 1):
        await saved.keep(numbered(number))
    assert await ids(saved, "bert") == [numbered(number).save_id for number in range(SAVES_PER_SESSION, 0, -1)]
    for number in range(SAVES_PER_PLAYER):
        await saved.keep(numbered(10 + number, session=1 + number, players=("anna",)))
    assert len(await ids(saved, "anna")) == SAVES_PER_PLAYER
    assert await saved.find("anna", numbered(1).save_id) is None
    assert await saved.find("bert", numbered(1).save_id) == ONE.record


async def test_pages_go_on_after_the_last_line(archive: Archive) -> None:
    saved = SavedGames(archive)
    for number in range(5):
        await saved.keep(numbered(7, session=number))
    first = await saved.list_player("anna", limit=2)
    rest = await saved.list_player("anna", before=first[-1].cursor)
    assert [line.cursor.session_id for line in (*first, *rest)] == sorted(await ids(saved, "bert"), reverse=True)


async def test_a_saved_game_that_is_too_large_is_not_kept(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = SavedGames(archive)
    with pytest.raises(ValueError, match="summary"):
        replace(ONE, summary=bytes(SUMMARY_BYTES + 1))
    monkeypatch.setattr("services.archive.saved_games.SAVE_BYTES", 10)
    assert not await saved.keep(ONE)
    assert await saved.list_player("anna") == []
