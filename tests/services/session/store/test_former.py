"""The data of earlier releases is taken over: games go on, with their clocks, computers, answers and pasts."""

import itertools
import json
import lzma
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import play_pb2
from services.players.puzzles.puzzles import shown_view
from services.session.domain.ids import session_key
from services.sharding.shards import shard_key
from tests.brettwerk_games.rules.plateau.counts import without_counts
from tests.night import by_day
from tests.ports import free_port
from tests.redis_server import server, wait_for
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules
from tests.services.session.table import Table

KEPT = Path(__file__).parents[1] / "kept"
RELEASES = sorted(folder.name for folder in KEPT.iterdir())
FOLLOWING = 24
"""Actions that are played on: more than it takes until a state is kept anew."""


class Former:
    """A store as a release left it, and what it told the players."""

    def __init__(self, table: Table, received: Any) -> None:
        self.table = table
        self.games = {game["what"]: game for game in received["games"]}
        self.players = {name: table.player(name) for name in ("Anna", "Ben")}
        for game in received["games"]:
            for name, tokens in game["tokens"].items():
                for seat, token in tokens.items():
                    self.players[name].tokens[game["id"], int(seat)] = token

    def holder(self, session: str, seat: int) -> Player | None:
        return next((player for player in self.players.values() if (session, seat) in player.tokens), None)

    async def play(self, session: str, count: int) -> None:
        """Play some actions; computers are moved for."""
        for _ in range(count):
            update = await self.players["Anna"].see(session)
            if update.session.HasField("outcome"):
                return
            player = self.holder(session, update.to_act[0])
            if player is None:
                await self.table.computer_moves()
            else:
                await player.act(session, update.to_act[0])


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> Path:
    return KEPT / str(request.param)


@pytest.fixture
def kept_url(release: Path, tmp_path: Path) -> Iterator[str]:
    folder, port = tmp_path / "redis", free_port()
    folder.mkdir()
    (folder / "dump.rdb").write_bytes(lzma.decompress((release / "dump.rdb.xz").read_bytes()))
    with server(folder, port, "--save", "", "--appendonly", "no") as process:
        url = f"redis://127.0.0.1:{port}/0"
        wait_for(url, process)
        give_times_to_live(url)
        yield url


def give_times_to_live(url: str) -> None:
    """Let the answers to requests live for a while: they were kept without an end, or the server would load none a day later."""
    with redis.Redis.from_url(url) as client:
        for key in client.scan_iter("bw:*:requests:*"):
            client.expire(key, 600)


@pytest.fixture
async def former(release: Path, kept_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Former]:
    monkeypatch.setattr("tests.services.session.player._request_ids", itertools.count(1_000_000))
    received = json.loads((release / "told.json").read_text(encoding="utf-8"))
    async with running_rules() as rules:
        table = Table(kept_url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "kept")
        table.clock.now_ms = received["now_ms"]
        await table.open(keeps=True)
        try:
            yield Former(table, received)
        finally:
            await table.close()


async def test_everybody_sees_the_game_as_it_was_left(former: Former) -> None:
    assert len(former.games) == 9
    for game in former.games.values():
        update = await former.players["Anna"].see(game["id"], 0)
        seen = update.version, update.session.plies, update.session.state, list(update.to_act)
        assert seen == tuple(game[name] for name in ("version", "plies", "state", "to_act"))
        # Views name seats in newer fields, too.
        view = AnyMessage(type_url=update.view.type_url, value=bytes.fromhex(game["view"]))
        before = shown_view(update.session.game, view) if view.value else view
        assert without_counts(update.view) == without_counts(before)
        await check_rebuilt(former.table, game["id"], is_former=True)


@pytest.mark.parametrize("game", by_day(["einstein", "emperado", "plateau", "wec"], "einstein"))
async def test_a_game_goes_on_and_nothing_of_the_former_release_is_left(former: Former, game: str) -> None:
    received = former.games[f"{game} of two, with clocks"]
    session = received["id"]
    name, request, answer = received["repeated"]
    repeated = play_pb2.ActRequest.FromString(bytes.fromhex(request))
    first = await former.players[name].ask(act=repeated)
    assert first == play_pb2.ActResponse.FromString(bytes.fromhex(answer))
    repeated.expected_version += 1
    with refused("REQUEST_ID_REUSED"):
        await former.players[name].ask(act=repeated)
    await former.play(session, FOLLOWING)
    repeated.expected_version -= 1
    assert await former.players[name].ask(act=repeated) == first
    await check_rebuilt(former.table, session)
    client = former.table.wiring.store._client
    assert not await client.exists(session_key(session, "updates"))
    fields = set(await client.hkeys(session_key(session, "state")))
    assert fields <= {b"state", b"at", b"logged", b"secrets", b"over", b"archived"}
    await former.table.restart()
    await former.play(session, 3)
    await check_rebuilt(former.table, session)


async def test_clocks_run_on(former: Former) -> None:
    session = former.games["einstein of two, with clocks"]["id"]
    await former.table.pass_s(720)
    update = await former.players["Anna"].see(session)
    assert update.session.HasField("outcome")


async def test_a_computer_that_was_to_move_is_asked_and_moves(former: Former) -> None:
    game = former.games["a computer is to move"]
    await former.table.pass_s(20)
    await former.table.computer_moves()
    assert (await former.players["Anna"].see(game["id"])).version > game["version"]
    await former.play(game["id"], 6)
    await check_rebuilt(former.table, game["id"])


async def test_a_finished_game_is_archived_and_an_awaited_player_comes(former: Former) -> None:
    over = former.games["over, and not yet archived"]["id"]
    await former.table.pass_s(200)
    assert await former.table.wiring.archive.find(over) is not None
    waiting = former.games["waits for a second player"]["id"]
    await former.players["Ben"].join(waiting)
    await former.play(waiting, 4)
    await check_rebuilt(former.table, waiting)


async def test_event_streams_of_the_former_release_are_gone_once_their_shards_are_served(former: Former) -> None:
    client = former.table.wiring.store._client
    assert not await client.exists(*(shard_key(shard, name) for shard in range(16) for name in ("events", "flow")))
