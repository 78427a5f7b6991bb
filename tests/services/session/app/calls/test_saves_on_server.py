"""Saved games on the server: one saves, and all who play find it (WEC-ONLINE-3)."""

import pytest

from brettwerk.v1 import play_pb2
from services.archive.saved_games import SAVES_PER_SESSION
from tests.services.session.app.reopening import leave, play
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def save(who: Player, session: str, seat: int, name: str = "") -> play_pb2.SavedGame:
    request = play_pb2.SaveSessionRequest(session_id=session, seat_token=who.token(session, seat), name=name)
    saved: play_pb2.SavedGame = (await who.ask(save_session=request)).saved
    return saved


async def saves(who: Player, game: str = "") -> list[play_pb2.SavedGame]:
    return list((await who.ask(list_saves=play_pb2.ListSavesRequest(game=game))).saves)


async def open_(who: Player, save_id: str, *seats: str) -> play_pb2.ImportSessionResponse:
    request = play_pb2.ImportSessionRequest(save_id=save_id, seats=[wish(seat) for seat in seats], request_id=request_id())
    response: play_pb2.ImportSessionResponse = await who.ask(import_session=request)
    return response


async def two_at(table: Table, game: str) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game=game, competitive=True, title="Sunday")).id
    await ben.join(session)
    await play(session, (anna, ben), 4)
    return anna, ben, session


@pytest.mark.parametrize("game", ["wec", "emperado", "einstein"])
async def test_a_save_by_one_player_is_found_by_the_other_and_both_go_on(table: Table, game: str) -> None:
    anna, ben, session = await two_at(table, game)
    saved = await save(anna, session, 0, "before the storm")
    assert await saves(ben) == await saves(anna) == [saved]
    assert (saved.name, saved.title, saved.saved_by.name) == ("before the storm", "Sunday", "Anna")
    assert list(saved.held_by) == [anna.caller.player_id, ben.caller.player_id]
    assert saved.bound == (game != "einstein") and saved.competitive
    assert await saves(table.player("Carl")) == []
    await leave(anna, session, 0), await leave(ben, session, 1)
    if game == "einstein":
        again = (await open_(ben, saved.id)).session.id
        await ben.join(again, 1), await anna.join(again, 0)
        assert (await anna.see(again)).session.plies == 4
        return
    opened = await open_(ben, saved.id)
    joined = await open_(anna, saved.id)
    assert joined.session.id == opened.session.id
    assert not joined.session.seats[1].kept_for and joined.session.plies > 0


async def test_a_file_of_a_game_with_hidden_things_is_a_save_for_the_other_too(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    request = play_pb2.ExportSessionRequest(session_id=session, seat_token=ben.token(session, 1))
    await ben.ask(export_session=request)
    (found,) = await saves(anna)
    assert found.saved_by.name == "Ben"
    anna, ben, session = await two_at(table, "einstein")
    await ben.ask(export_session=play_pb2.ExportSessionRequest(session_id=session, seat_token=ben.token(session, 1)))
    assert len(await saves(anna)) == 1


async def test_a_player_who_has_left_finds_the_save_as_well(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    await leave(ben, session, 1)
    saved = await save(anna, session, 0)
    assert [found.id for found in await saves(ben)] == [saved.id]


async def test_a_version_is_saved_once(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    assert (await save(anna, session, 0)).id == (await save(ben, session, 1)).id
    assert len(await saves(ben)) == 1


async def test_one_takes_a_save_off_the_own_list_only(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    saved = await save(anna, session, 0)
    for _ in range(2):
        await ben.ask(delete_save=play_pb2.DeleteSaveRequest(save_id=saved.id))
    assert await saves(ben) == [] and await saves(anna) == [saved]
    with refused("UNKNOWN"):
        await open_(ben, saved.id)
    with refused("UNKNOWN"):
        await open_(table.player("Carl"), saved.id)


async def test_the_list_has_pages_and_can_be_of_one_game(table: Table) -> None:
    anna, _, session = await two_at(table, "wec")
    await save(anna, session, 0)
    for _ in range(3):
        _, ben, other = await two_at(table, "einstein")
        await save(ben, other, 1)
    assert len(await saves(anna, game="wec")) == 1
    first = await anna.ask(list_saves=play_pb2.ListSavesRequest(page_size=3))
    rest = await anna.ask(list_saves=play_pb2.ListSavesRequest(page_size=3, page_token=first.next_page_token))
    assert len({saved.id for saved in (*first.saves, *rest.saves)}) == 4 and not rest.next_page_token
    with refused("MALFORMED"):
        await anna.ask(list_saves=play_pb2.ListSavesRequest(page_token="nowhere"))


async def test_of_one_table_the_newest_saves_of_each_player_stay(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    first = await save(ben, session, 1)
    for _ in range(SAVES_PER_SESSION + 2):
        await play(session, (anna, ben), 1)
        await save(anna, session, 0)
    found = [saved.id for saved in await saves(ben)]
    assert len(found) == SAVES_PER_SESSION + 1 and first.id in found


async def test_only_a_player_at_the_table_saves_and_only_a_running_game(table: Table) -> None:
    anna, ben, session = await two_at(table, "wec")
    for token, reason in (("", "NO_TOKEN"), ("x" * 24, "NOT_YOUR_SEAT")):
        with refused(reason):
            await anna.ask(save_session=play_pb2.SaveSessionRequest(session_id=session, seat_token=token))
    with refused("NO_TOKEN"):
        nobody = table.player("")
        nobody.caller.player_id = ""
        await saves(nobody)
    await ben.resign(session, 1)
    with refused("GAME_OVER"):
        await save(anna, session, 0)
    waiting = (await anna.create("me", "open", game="wec")).id
    with refused("NOT_RUNNING"):
        await save(anna, waiting, 0)


async def test_either_a_record_or_a_save_is_opened(table: Table) -> None:
    anna, _, session = await two_at(table, "wec")
    saved = await save(anna, session, 0)
    request = play_pb2.ImportSessionRequest(record=await anna.export(session), save_id=saved.id, request_id=request_id())
    with refused("MALFORMED"):
        await anna.ask(import_session=request)
    with refused("STILL_RUNNING"):
        await open_(anna, saved.id)


async def test_a_save_that_is_too_long_is_not_kept(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.archive.saved_games.SAVE_BYTES", 100)
    anna, _, session = await two_at(table, "wec")
    with refused("FULL") as caught:
        await save(anna, session, 0)
    assert caught.value.refusal.details["bound"] == "save"
