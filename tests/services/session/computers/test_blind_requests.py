"""Requests to the AI service: the same, whatever is hidden from the seat. Planted leaks are found."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from brettwerk.v1 import play_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec.game import WeaponizedChess
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import Position, View
from brettwerk_games.rules.wec.view import view
from services.rules import any_codec
from tests.brettwerk_games.rules.wec.lookalikes import look_alike
from tests.brettwerk_games.rules.wec.random_games import play
from tests.services.rules.asking import packed
from tests.services.session.table import Table

GAME = WeaponizedChess()
BLIND = Options(stealth_invisible=True, submerged_invisible=True)


def places(position: Position) -> tuple[int, ...]:
    return tuple(piece.place for piece in position.pieces)


def begun(position: Position) -> Position:
    return GAME.new(BLIND, 2, position, bytes(32)).position


def twins() -> tuple[Position, Position]:
    """Two boards that the side to move cannot tell apart: one hidden piece stands elsewhere.

    Ids are given by the order of the board (WEC-RUL-54), so it may not change that.
    """
    for position in play(0, BLIND, 60):
        if position.ply < 30 or position.turn.items:
            continue
        first = begun(position)
        for change in range(8):
            second = begun(look_alike(first, first.active, bytes([change]) * 32))
            same = GAME.view(first, first.active) == GAME.view(second, second.active)
            if same and sum(places(first)) % 2 != sum(places(second)) % 2:
                return first, second
    raise AssertionError("nothing was ever hidden")


@dataclass(frozen=True)
class Sent:
    """The requests sent to the AI service, without what no two games share: ids, tickets and seeds of searches."""

    move: bytes
    hint: bytes


async def sent_for(table: Table, position: Position) -> Sent:
    """Return what is sent for a computer's move and for a hint in games that begin with a position."""
    anna, seat = table.player("Anna"), position.active
    board: dict[str, Any] = {
        "game": "wec",
        "options": packed(GAME, Kind.OPTIONS, position.options),
        "start_position": packed(GAME, Kind.POSITION, position),
    }
    await anna.create(*("strong" if one == seat else "me" for one in range(2)), **board)
    move = (await table.find((await table.until_asked()).want)).wanted
    session = await anna.create("me", "me", **board)
    await anna.ask(get_hint=play_pb2.GetHintRequest(session_id=session.id, seat_token=anna.token(session.id, seat)))
    hint = table.ai.reviews[-1]
    move.ticket, move.search_seed, hint.search_seed = b"", 0, 0
    return Sent(move.SerializeToString(deterministic=True), hint.SerializeToString(deterministic=True))


async def twins_send_the_same(table: Table) -> None:
    first, second = twins()
    assert await sent_for(table, first) == await sent_for(table, second), "what is sent differs"


async def test_requests_for_moves_and_hints_tell_nothing_that_is_hidden(table: Table) -> None:
    await twins_send_the_same(table)


def all_pieces(position: Position, seen: View) -> View:
    return seen._replace(pieces=position.pieces)


def where_they_are(position: Position, seen: View) -> View:
    """A leak of one bit."""
    return seen._replace(idle=bool(sum(places(position)) % 2))


@pytest.fixture
def leaky(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the rules service tell more than it may."""
    game: Any = WeaponizedChess()
    game.view = lambda position, seat: request.param(position, view(position, seat))
    with monkeypatch.context() as patched:
        patched.setattr(registry, "games", lambda: {"wec": game})
        any_codec._any_codec.cache_clear()
        yield
    any_codec._any_codec.cache_clear()


@pytest.mark.parametrize("leaky", [all_pieces, where_they_are], indirect=True)
async def test_a_leak_planted_in_them_is_found(leaky: None, table: Table) -> None:
    with pytest.raises(AssertionError, match="differs"):
        await twins_send_the_same(table)
