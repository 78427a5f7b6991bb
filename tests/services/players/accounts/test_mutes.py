"""The lists of muted players, on a real database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players import whole_account
from services.players.accounts import mutes
from services.players.accounts.mutes import Mutes
from services.players.accounts.tables import MUTES
from services.players.calls import Caller
from services.players.store import open_store
from services.runtime.refusal import Refused

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
BOB = Caller("b" * 26, "Bob", "192.0.2.2")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Access]:
    made = open_store(f"sqlite:///{tmp_path}/players.sqlite3")
    yield made
    made.close()


class Clock:
    now_ms = 1_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


async def mute(
    mutes: Mutes, player_id: str, name: str = "", caller: Caller = ADA, *, ends: bool = False
) -> list[tuple[str, str]]:
    response = (await mutes.mute(accounts_pb2.MutePlayerRequest(player_id=player_id, name=name, ends=ends), caller)).response
    assert isinstance(response, accounts_pb2.MutePlayerResponse)
    return [(one.player_id, one.name) for one in response.muted]


async def muted(mutes: Mutes, caller: Caller) -> list[str]:
    response = (await mutes.list(accounts_pb2.ListMutedPlayersRequest(), caller)).response
    assert isinstance(response, accounts_pb2.ListMutedPlayersResponse)
    return [one.name for one in response.muted]


async def test_the_list_is_the_players_own_and_a_repeat_does_no_harm(store: Access) -> None:
    mutes = Mutes(store, Clock())
    await mute(mutes, "x", "Xaver")
    await mute(mutes, "y", "Yvonne")
    assert await mute(mutes, "x", "Xaver the Loud") == [("y", "Yvonne"), ("x", "Xaver the Loud")]
    assert await muted(mutes, BOB) == []
    assert await mute(mutes, "y", ends=True) == [("x", "Xaver the Loud")]
    assert await mute(mutes, "y", ends=True) == [("x", "Xaver the Loud")]
    assert await muted(mutes, ADA) == ["Xaver the Loud"]


async def test_the_list_is_bounded_and_nobody_mutes_themselves(store: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutes, "MUTED", 2)
    own = Mutes(store, Clock())
    await mute(own, "x", "X")
    await mute(own, "y", "Y")
    with pytest.raises(Refused) as full:
        await mute(own, "z", "Z")
    assert full.value.reason == errors_pb2.REASON_FULL
    assert await muted(own, ADA) == ["Y", "X"]
    for wrong in ("", ADA.player_id):
        with pytest.raises(Refused):
            await mute(own, wrong)
    with pytest.raises(Refused) as nobody:
        await mute(own, "x", caller=Caller("", "", "192.0.2.3"))
    assert nobody.value.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_player_who_deletes_their_account_is_on_no_list_any_more_and_has_none(store: Access) -> None:
    mutes = Mutes(store, Clock())
    await mute(mutes, BOB.player_id, "Bob")
    await mute(mutes, ADA.player_id, "Ada", caller=BOB)
    await mute(mutes, "x", "X", caller=BOB)
    await store.run(lambda connection: whole_account.remove(connection, BOB.player_id, 0))
    assert await store.run(lambda connection: connection.execute(select(MUTES)).all()) == []
