"""Looking ahead at a real session process: what would be after actions that nobody has played, and nobody notices it."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import record_pb2
from services.session.domain.conditional import MAX_BYTES
from tests.services.session.app.calls.test_prepared_calls import ANSWER, FIRST, SLOW, THIRD, begun, line, open_chess
from tests.services.session.live.test_plateau import packed, play, start
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def moves_of(table: Table, *turns: tuple[str, ...]) -> list[pb.ConditionalMove]:
    """Return turns that begin with the first seat's as the actions that they are."""
    return list((await line(table, *turns)).moves)


@pytest.mark.parametrize("turns", [(), (FIRST,), (FIRST, ANSWER), (FIRST, ANSWER, THIRD)])
async def test_it_shows_what_the_seat_to_act_would_be_shown(table: Table, turns: tuple[tuple[str, ...], ...]) -> None:
    moves = await moves_of(table, *turns)
    anna, ben, session = await begun(table, clock=SLOW)
    looked = await ben.look_ahead(session, *moves, seat=1)
    assert [move.notation for move in looked.moves] == [text for turn in turns for text in turn]
    assert [move.seat for move in looked.moves] == [number % 2 for number, turn in enumerate(turns) for _ in turn]
    assert not looked.HasField("outcome")
    assert bool(looked.events) == bool(moves)
    assert looked.HasField("own_view") == (list(looked.to_act) == [0])
    own = AnyMessage()
    own.CopyFrom(looked.own_view)
    watched = await table.player("Cleo").look_ahead(session, *moves)
    assert watched.own_view != looked.view
    for each in (watched, looked):
        each.ClearField("own_view")
    assert watched == looked
    for number, turn in enumerate(turns):
        await play((anna, ben)[number % 2], session, number % 2, *turn)
    acting = len(turns) % 2
    update = await (anna, ben)[acting].see(session, acting)
    assert list(looked.to_act) == [acting] == list(update.to_act)
    assert looked.view == update.view
    assert list(looked.actions) == list(update.actions)
    seen = await ben.see(session, 1)
    assert seen.view == (own if acting == 0 else looked.view)
    if turns:
        assert list(looked.events) == list(update.happening.events)
    assert looked.more_actions == update.more_actions


async def test_all_actions_come_page_by_page(table: Table) -> None:
    moves = await moves_of(table, FIRST)
    _, ben, session = await begun(table)
    shown = await ben.look_ahead(session, *moves, seat=1)
    found: list[Any] = []
    token = ""
    while not found or token:
        page = await ben.look_ahead(session, *moves, seat=1, page_size=100, page_token=token)
        assert page.view == shown.view
        assert len(page.actions) <= 100
        found += page.actions
        token = page.next_page_token
        assert page.more_actions == bool(token)
    assert found[: len(shown.actions)] == list(shown.actions)
    assert (len(found) > len(shown.actions)) == shown.more_actions
    with refused("MALFORMED"):
        await ben.look_ahead(session, seat=1, page_token="another question's")


async def test_it_says_how_a_game_would_end(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="plateau", start_position=start("E@A1 6@B9", "E@A9"))).id
    await ben.join(session)
    moves: list[pb.ConditionalMove] = []
    looked = await ben.look_ahead(session, seat=1)
    while looked.to_act and len(moves) < 32:
        choice = next(
            (one for one in looked.actions if one.notation.endswith("A9/1") or "A9" in one.notation), looked.actions[-1]
        )
        moves.append(pb.ConditionalMove(seat=looked.to_act[0], action=choice.action))
        looked = await ben.look_ahead(session, *moves, seat=1)
    assert looked.HasField("outcome")
    assert not looked.actions
    assert looked.view.type_url.endswith("PlateauView")
    with refused("CONDITIONAL_MOVES"):
        await ben.look_ahead(session, *moves, moves[0], seat=1)


async def test_moves_against_the_rules_are_refused_with_their_place(table: Table) -> None:
    moves = await moves_of(table, FIRST, ANSWER)
    _, ben, session = await begun(table)

    async def where(*asked: pb.ConditionalMove) -> dict[str, str]:
        with refused("CONDITIONAL_MOVES") as caught:
            await ben.look_ahead(session, *asked, seat=1)
        rules.append(caught.value.refusal.rule)
        return {key: caught.value.refusal.details[key] for key in ("conditional", "move")}

    rules: list[str] = []
    assert await where(moves[1], moves[1]) == {"conditional": "illegal", "move": "1"}
    assert await where(*moves[:3], moves[0]) == {"conditional": "illegal", "move": "3"}
    of_the_other = pb.ConditionalMove(seat=1, action=moves[0].action)
    assert await where(of_the_other) == {"conditional": "illegal", "move": "0"}
    unknown = pb.ConditionalMove(seat=0, action=packed(record_pb2.ClockSpec()))
    assert await where(moves[0], unknown) == {"conditional": "illegal", "move": "1"}
    assert rules[0].startswith("EP-")
    with refused("MALFORMED"):
        await ben.look_ahead(session, pb.ConditionalMove(seat=4, action=moves[0].action), seat=1)


async def test_its_actions_are_bounded_in_bytes(table: Table) -> None:
    _, ben, session = await begun(table)
    action = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.PlateauAction", value=bytes(MAX_BYTES // 2))
    with refused("MALFORMED"):
        await ben.look_ahead(session, *[pb.ConditionalMove(seat=0, action=action)] * 2, seat=1)


async def test_it_is_for_the_position_that_the_caller_has_seen(table: Table) -> None:
    moves = await moves_of(table, FIRST)
    anna, ben, session = await begun(table)
    seen = (await ben.see(session, 1)).version
    await play(anna, session, 0, FIRST[0])
    for seat in (1, None):
        with refused("STALE_VERSION"):
            await ben.look_ahead(session, *moves, seat=seat, expected_version=seen)
    assert (await ben.look_ahead(session, *moves[1:], seat=1)).to_act == [1]
    with refused("NOT_YOUR_SEAT"):
        await ben.ask(look_ahead=pb.LookAheadRequest(session_id=session, seat_token="nobody's", expected_version=seen))


async def test_it_needs_a_game_that_is_slow_open_and_being_played(table: Table) -> None:
    fast = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000)
    anna, ben, session = await begun(table, clock=fast)
    await check_refused(ben, session, "clock")
    for game, why in (("einstein", "game"), ("emperado", "game"), ("wec", "options")):
        session = (await anna.create("me", "open", game=game)).id
        await ben.join(session)
        await check_refused(ben, session, why)
    anna, ben, session = await begun(table)
    await anna.resign(session, 0)
    with refused("GAME_OVER"):
        await ben.look_ahead(session, seat=1)


async def check_refused(who: Player, session: str, why: str) -> None:
    """Check that neither a seat nor a watcher can look ahead, and that an action which the rules forbid changes nothing of it."""
    hidden = pb.ConditionalMove(seat=0, action=packed(record_pb2.ClockSpec()))
    for seat in (1, None):
        for moves in ((), (hidden,)):
            with refused("CONDITIONAL_MOVES") as caught:
                await who.look_ahead(session, *moves, seat=seat)
            assert dict(caught.value.refusal.details) == {"conditional": why}


async def test_weaponized_chess_can_be_foreseen_where_nothing_is_hidden(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec", options=open_chess())).id
    await ben.join(session)
    looked = await ben.look_ahead(session, seat=1)
    update = await anna.see(session, 0)
    assert looked.view == update.view
    assert list(looked.actions) == list(update.actions)


async def test_looking_ahead_is_unnoticed_and_writes_nothing(table: Table) -> None:
    moves = await moves_of(table, FIRST, ANSWER)
    anna, ben, session = await begun(table, clock=SLOW)
    await ben.prepare(session, 1, pb.ConditionalLine(moves=moves))
    store = table.owner(session).store
    before = (await anna.see(session, 0)).SerializeToString(deterministic=True)
    stored = await store.read(session)
    log = await store.log(session)
    for seat in (0, 1, None):
        await (anna, ben)[seat or 0].look_ahead(session, *moves, seat=seat)
    assert (await anna.see(session, 0)).SerializeToString(deterministic=True) == before
    assert await store.read(session) == stored
    assert await store.log(session) == log
    assert await ben.prepared(session, 1) == [[*FIRST, *ANSWER]]
