"""Parts of a log that were hidden while a game was on can be read by everybody once it is over (WEC-HIST-3)."""

import random

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import play_pb2, sessions_pb2, wec_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.position import View
from tests.brettwerk_games.rules.wec.boards import board
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table

ACTIONS = 90
PIECES = ("B AAA(2,3)", "B AAA(3,5)", "B SU(3,8) Sub", "B RP(2,2)", "W AAA(9,8)", "W AAA(8,6)", "W SU(8,3) Sub", "W RP(9,9)")


def packed(message: wec_pb2.WecPosition | wec_pb2.WecOptions) -> AnyMessage:
    found = AnyMessage()
    found.Pack(message)
    return found


async def log(who: Player, session: str, seat: int | None) -> list[sessions_pb2.Update]:
    """Everything that was played, page by page, as a seat or a spectator reads it."""
    request = play_pb2.ListUpdatesRequest(session_id=session, page_size=40)
    request.seat_token = "" if seat is None else who.token(session, seat)
    found: list[sessions_pb2.Update] = []
    while True:
        page = await who.ask(list_updates=request)
        found += [update for update in page.updates if update.happening.kind == sessions_pb2.Happening.KIND_ACTED]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def unread(updates: list[sessions_pb2.Update]) -> int:
    return sum("?" in update.happening.notation for update in updates)


@pytest.mark.parametrize("competitive", [True, False])
async def test_after_the_end_nothing_in_a_log_stays_a_question_mark(table: Table, competitive: bool) -> None:
    chance = random.Random(f"log {competitive}")
    people = table.player("Anna"), table.player("Ben")
    start = wec_pb2.WecPosition.FromString(GAME.codec.encode(Kind.POSITION, board(*PIECES)))
    options = wec_pb2.WecOptions.FromString(GAME.codec.encode(Kind.OPTIONS, board(competitive=competitive).options))
    wanted = {"game": "wec", "start_position": packed(start), "options": packed(options), "competitive": competitive}
    session = (await people[0].create("me", "open", **wanted)).id
    await people[1].join(session)
    own: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(ACTIONS):
        seat = (await people[0].see(session)).to_act[0]
        update = await people[seat].see(session, seat)
        hidden = [each for each in update.actions if "AAA" in each.notation or "SU" in each.notation or each.notation == "END"]
        chosen = chance.choice(hidden or list(update.actions))
        await people[seat].act(session, seat, action=chosen.action)
        own[seat].append(chosen.notation)
    for eye in (0, 1, None):
        assert unread(await log(people[eye or 0], session, eye)), "what cannot be seen is not told while the game is on"
    resign = play_pb2.ResignRequest(session_id=session, seat_token=people[0].token(session, 0), request_id=request_id())
    await people[0].ask(resign=resign)
    for eye in (0, 1, None):
        updates = await log(people[eye or 0], session, eye)
        for side in (0, 1):
            played = [update.happening.notation for update in updates if update.happening.seat == side + 1]
            assert played == own[side]
        assert not unread(updates)
        view: View = GAME.codec.decode(Kind.VIEW, updates[-1].view.value)
        assert view.options.competitive == competitive
        last = await people[eye or 0].see(session, eye)
        whole: View = GAME.codec.decode(Kind.VIEW, last.view.value)
        assert whole.history and not any("?" in text for text in whole.history)
