"""The messages that a channel receives of a table where things are hidden: what spectators see. Planted leaks are found."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from brettwerk_games.rules import registry
from brettwerk_games.rules.emperado import view as emperado_view
from brettwerk_games.rules.emperado.game import Emperado
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Party, View
from brettwerk_games.rules.emperado.scene import scene
from brettwerk_games.rules.interface import Kind, Scene
from brettwerk_games.rules.wec import view as wec_view
from brettwerk_games.rules.wec.game import WeaponizedChess
from services.rules import any_codec
from tests.services.players.notifications.place import Place
from tests.services.players.notifications.test_table_webhooks import Game, redis_url, rules_address, table
from tests.services.rules.asking import packed
from tests.services.session.computers.test_blind_requests import twins as twins_of_weaponized_chess
from tests.services.session.table import Table

__all__ = ["redis_url", "rules_address", "table"]
SEATS = 2


def twins_of_emperado() -> tuple[Any, Any]:
    """Two positions that differ in which cards the second seat holds, and not in how many."""
    start = Emperado().new(Options(), SEATS, None, bytes(32)).position
    first, second = (
        start._replace(parties=(start.parties[0], party)) for party in (Party(riders=2, soldiers=1), Party(riders=1, soldiers=2))
    )
    return first, second


GAMES: dict[str, tuple[Any, Callable[[], tuple[Any, Any]]]] = {
    "wec": (WeaponizedChess(), twins_of_weaponized_chess),
    "emperado": (Emperado(), twins_of_emperado),
}


async def received(table: Table, place: Place, name: str, position: Any) -> dict[str, Any]:
    """Return what the webhook of a new table receives, without what no two tables share: ids, and the moment."""
    game, rules = Game(table, place), GAMES[name][0]
    place.now_ms = table.clock.now_ms
    board = {"options": packed(rules, Kind.OPTIONS, position.options), "start_position": packed(rules, Kind.POSITION, position)}
    game.id = (await game.players[0].create("me", "open", game=name, title="Friday night", **board)).id
    await game.players[1].join(game.id)
    await game.add(game.id)
    await game.let_pass(0)
    (received,) = game.received(game.id)
    data: dict[str, Any] = json.loads(received.body.replace(game.id.encode(), b"the table"))["data"]
    return data | {"at": ""}


async def twins_look_alike(table: Table, place: Place, name: str) -> None:
    first, second = [await received(table, place, name, position) for position in GAMES[name][1]()]
    assert first["picture"].startswith("data:image/png;base64,")
    assert first == second, "the messages differ"


@pytest.mark.parametrize("name", GAMES)
async def test_a_channel_receives_nothing_that_is_hidden_from_spectators(table: Table, place: Place, name: str) -> None:
    await twins_look_alike(table, place, name)


def all_pieces(game: Any) -> None:
    """Show everybody every piece."""
    game.view = lambda position, seat: wec_view.view(position, seat)._replace(pieces=position.pieces)


def cards_of_a_seat(game: Any) -> None:
    """Show everybody what the second seat sees; and since a board shows no cards, draw them on it."""
    game.view = lambda position, seat: emperado_view.view(position, 1)
    game.scene = with_cards


def with_cards(view: View) -> Scene:
    """Return the scene of a view with a seat's cards as the mark of the first country."""
    seen = scene(view)
    first, *others = seen.places
    riders = view.position.parties[1].riders
    return replace(seen, places=(replace(first, things=(replace(first.things[0], mark=str(riders)),)), *others))


@pytest.fixture
def leaky(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the rules service tell more of a game than it may; yields the game."""
    name, leak = request.param
    game: Any = type(GAMES[name][0])()
    leak(game)
    with monkeypatch.context() as patched:
        patched.setattr(registry, "games", lambda: {name: game})
        any_codec._any_codec.cache_clear()
        yield name
    any_codec._any_codec.cache_clear()


@pytest.mark.parametrize("leaky", [("wec", all_pieces), ("emperado", cards_of_a_seat)], indirect=True)
async def test_a_leak_planted_in_a_view_is_found_in_the_message(leaky: str, table: Table, place: Place) -> None:
    with pytest.raises(AssertionError, match="differ"):
        await twins_look_alike(table, place, leaky)
