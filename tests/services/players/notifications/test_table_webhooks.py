"""Webhooks of tables, at a real session service: one message a turn, with what a spectator sees of the board."""

import base64
import json
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2
from brettwerk.v1 import webhooks_pb2 as pb
from brettwerk.v1.emperado_pb2 import EmperadoOptions
from brettwerk_games.rules.emperado.maps import WORLDS
from services.players.calls import Caller
from services.players.news.tables import WEBHOOKS
from services.players.notifications import board_pictures, seen_tables
from services.players.notifications.seen_tables import SeenTables
from services.runtime.refusal import Refused
from tests.push_endpoint import Received
from tests.services.players.notifications.place import MINUTE, ORIGIN, Place
from tests.services.session.conftest import redis_url, rules_address, table
from tests.services.session.table import Table

__all__ = ["redis_url", "rules_address", "table"]
ADA, BOB = Caller("p-ada", "Ada", "192.0.2.1"), Caller("p-bob", "Bob", "192.0.2.2")
PNG = b"\x89PNG\r\n\x1a\n"


class InProcess(SeenTables):
    """Asks the test's session service; that it is reached by gRPC is tested with a whole deployment."""

    def __init__(self, table: Table) -> None:
        super().__init__("", 5)
        self._table = table

    async def _ask(self, call: play_pb2.Call, caller: Caller | None = None) -> play_pb2.Answer:
        person = session_pb2.Caller(player_id=caller.player_id) if caller is not None else session_pb2.Caller()
        return await self._table.carry_out(self._table.wiring, call, person)


class Game:
    """A game of EinStein between Ada, whose table it is, and Bob."""

    def __init__(self, table: Table, place: Place) -> None:
        self.place = place
        self._table = table
        self.players = [table.player("Ada"), table.player("Bob")]
        self.id = ""
        place.hooks.tables = InProcess(table)

    async def begin(self) -> None:
        self.place.now_ms = self._table.clock.now_ms
        self.id = (await self.players[0].create("me", "open", game="einstein", title="Friday night")).id
        await self.players[1].join(self.id)

    async def add(self, path: str = "hook", caller: Caller = ADA, form: Any = pb.WEBHOOK_FORM_JSON) -> pb.Webhook:
        url = f"{self.place.endpoint.origin}/{path}"
        request = pb.AddWebhookRequest(url=url, form=form, language="en", session_id=self.id)
        found: pb.Webhook = (await self.place.call("add_webhook", request, caller)).webhook
        return found

    async def to_act(self) -> int:
        return (await self.players[0].see(self.id)).to_act[0]

    async def take_turn(self) -> None:
        """Have whose turn it is play until it is the other's."""
        seat = await self.to_act()
        while (await self.to_act()) == seat:
            await self.players[seat].act(self.id, seat)

    async def let_pass(self, ms: int = 5 * MINUTE) -> None:
        """Let time go by, and deliver what comes due."""
        end = self.place.now_ms + ms
        while self.place.now_ms <= end:
            await self.place.hooks.deliver()
            self.place.now_ms += 10_000

    def received(self, path: str = "hook") -> list[Received]:
        return [one for one in self.place.endpoint.received if one.path == f"/{path}"]

    def data(self, path: str = "hook") -> list[dict[str, Any]]:
        return [json.loads(one.body)["data"] for one in self.received(path)]


@pytest.fixture
async def game(table: Table, place: Place) -> Game:
    made = Game(table, place)
    await made.begin()
    return made


async def test_each_turn_is_told_once_and_after_the_end_the_webhook_is_gone(game: Game) -> None:
    webhook = await game.add()
    assert (webhook.session_id, webhook.label) == (game.id, "Friday night")
    names = []
    for _ in range(3):
        names.append(("Ada", "Bob")[await game.to_act()])
        await game.let_pass()
        await game.take_turn()
    assert [one["text"] for one in game.data()] == [f"Next to play: {name}." for name in names]
    assert game.data()[0] | {"picture": "", "at": ""} == {
        "kind": "turn",
        "title": "Friday night",
        "text": f"Next to play: {names[0]}.",
        "url": f"{ORIGIN}/s/{game.id}",
        "game": "einstein",
        "session_id": game.id,
        "players": names[:1],
        "picture": "",
        "at": "",
    }
    await game.players[0].resign(game.id, 0)
    await game.let_pass()
    assert [one["kind"] for one in game.data()] == ["turn"] * 3 + ["game_over"]
    assert game.place.rows(WEBHOOKS) == []


async def test_the_end_of_a_game_is_told_even_when_only_the_archive_has_it(game: Game, table: Table) -> None:
    await game.add("hook")
    await game.add("discord", form=pb.WEBHOOK_FORM_DISCORD)
    await game.let_pass(MINUTE)
    await game.players[0].resign(game.id, 0)
    await table.sweep()
    table.clock.pass_s(3601)
    await table.sweep()
    assert await table.wiring.store.read(game.id) is None
    await game.let_pass()
    assert [one["kind"] for one in game.data()] == ["turn", "game_over"]
    last = game.received("discord")[-1]
    assert b"The game is over" in last.body and PNG in last.body
    assert game.place.rows(WEBHOOKS) == []


async def test_a_picture_comes_along_where_the_form_allows_one(game: Game) -> None:
    await game.add()
    await game.add("discord", form=pb.WEBHOOK_FORM_DISCORD)
    await game.add("slack", form=pb.WEBHOOK_FORM_SLACK)
    await game.let_pass()
    seen = await game.place.hooks.tables.find(game.id)
    shown = await game.place.hooks.tables.picture(seen)
    assert shown.startswith(PNG) and len(shown) < board_pictures.MAX_BYTES
    assert game.data()[0]["picture"] == f"data:image/png;base64,{base64.b64encode(shown).decode()}"
    (discord,) = game.received("discord")
    assert discord.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert shown in discord.body and b'"allowed_mentions": {"parse": []}' in discord.body
    (slack,) = game.received("slack")
    assert set(json.loads(slack.body)) == {"text"}


async def test_the_picture_of_another_map_has_the_places_of_that_map(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[games_pb2.Board, games_pb2.Scene]] = []

    def noted(board: games_pb2.Board, scene: games_pb2.Scene, colours: list[str]) -> bytes:
        drawn.append((board, scene))
        return board_pictures.picture(board, scene, colours)

    monkeypatch.setattr(seen_tables, "board_pictures", SimpleNamespace(picture=noted))
    ada = table.player("Ada")
    tables, pictures = InProcess(table), []
    for name in ("", "five_islands"):
        options = AnyMessage()
        options.Pack(EmperadoOptions(map=name))
        session = await ada.create("me", "me", game="emperado", options=options)
        pictures.append(await tables.picture(await tables.find(session.id)))
    assert [len(board.places) for board, _ in drawn] == [world.count for world in (WORLDS[""], WORLDS["five_islands"])]
    assert all({place.name for place in scene.places} == {place.name for place in board.places} for board, scene in drawn)
    assert all(shown.startswith(PNG) and len(shown) < board_pictures.MAX_BYTES for shown in pictures)
    assert pictures[0] != pictures[1]


async def test_only_the_creator_of_a_running_table_can_have_one(game: Game) -> None:
    with pytest.raises(Refused) as caught:
        await game.add(caller=BOB)
    assert caught.value.reason == errors_pb2.REASON_NOT_YOUR_SEAT
    await game.players[0].resign(game.id, 0)
    with pytest.raises(Refused) as caught:
        await game.add()
    assert caught.value.reason == errors_pb2.REASON_GAME_OVER


async def test_five_for_tables_are_enough_beside_five_for_news(game: Game) -> None:
    for number in range(5):
        await game.add(f"table{number}")
        url = f"{game.place.endpoint.origin}/news{number}"
        await game.place.call("add_webhook", pb.AddWebhookRequest(url=url, language="en"), ADA)
    with pytest.raises(Refused, match="5 webhooks for tables"):
        await game.add("table5")


async def test_one_host_gets_no_more_than_its_rate_and_nothing_is_lost(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    webhook = await game.add()
    monkeypatch.setattr(game.place.hooks._rates, "_now", lambda: game.place.now_ms / 1000)
    for _ in range(50):
        game.place.hooks._rates.take(webhook.host, 1)
    await game.place.hooks.deliver()
    assert game.received() == []
    await game.let_pass(MINUTE)
    assert len(game.received()) == 1


def test_a_board_without_positions_has_no_picture() -> None:
    assert board_pictures.picture(games_pb2.Board(), games_pb2.Scene(), []) == b""
    places = [games_pb2.Place(name="card")]
    beside = games_pb2.Scene(rows=1, columns=1, places=places, areas=[games_pb2.Area(places=["card"])])
    assert board_pictures.picture(games_pb2.Board(), beside, []) == b""


def line_of_places(*at: tuple[int, float]) -> games_pb2.Board:
    """Return places with these numbers and positions across, each the neighbour of those beside it in the list."""
    numbers = [number for number, _ in at]
    return games_pb2.Board(
        places=[
            games_pb2.BoardPlace(number=number, name=f"P{index}", x=x, y=0, neighbours=[*numbers[max(0, index - 1) : index + 2]])
            for index, (number, x) in enumerate(at)
        ]
    )


def test_ways_lead_to_neighbours_on_a_board_that_lacks_numbers() -> None:
    whole = line_of_places((0, 0), (1, 1), (2, 2), (3, 4), (4, 5))
    holed = line_of_places((0, 0), (1, 1), (7, 2), (12, 4), (13, 5))
    assert board_pictures.picture(holed, games_pb2.Scene(), []) == board_pictures.picture(whole, games_pb2.Scene(), [])


def test_levels_of_a_board_that_lie_far_apart_are_drawn_nearer() -> None:
    far = line_of_places((0, 0), (1, 1), (2, 2), (3, 20), (4, 21), (5, 22))
    near = line_of_places((0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 6))
    assert board_pictures.picture(far, games_pb2.Scene(), []) == board_pictures.picture(near, games_pb2.Scene(), [])
