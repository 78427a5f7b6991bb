"""Conditional moves at real session processes: checked, played in the commit of what they answer, seen by nobody before."""

import random

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import news_pb2, play_pb2, record_pb2, wec_pb2
from services.session.domain.news import news_of
from services.session.live.memory import CachedSession
from tests.services.session.live.test_plateau import options, play
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

DAY_MS = 86_400_000
_OPEN = wec_pb2.WecOptions(
    actions=wec_pb2.WEC_ACTIONS_MOVES_ONLY,
    stealth_invisible=False,
    submerged_invisible=False,
    reinforcements=wec_pb2.WEC_AMOUNT_NONE,
)
SLOW = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=3 * DAY_MS, increment_ms=60_000)
FIRST, ANSWER = ("4 B1..C14/4", "2 E16-E15", "4 C1-B1", "end"), ("4 C9..B6/4", "2 C10..B11/2", "end")
THIRD, FOURTH = ("6 G1..I1/6", "end"), ("6 G9..E12/5", "2 B11-B12", "end")
"""Turns, one after another."""
OTHER_FIRST, OTHER_ANSWER = ("6 G1..K3/6", "end"), ("6 G9..E7/6", "end")


def open_chess() -> AnyMessage:
    """Return options of Weaponized Chess with which nothing is hidden."""
    packed = AnyMessage()
    packed.Pack(_OPEN)
    return packed


async def begun(table: Table, **fields: object) -> tuple[Player, Player, str]:
    """Return two people and their game of Empire Plateau, in which the first of them is to act."""
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="plateau", options=options(), **fields)).id
    await ben.join(session)
    return anna, ben, session


async def plies(table: Table, session: str) -> list[tuple[int, str]]:
    """Return what was played: seats and notation."""
    entries = await table.owner(session).rebuilds.entries(session)
    return [(entry.acted.ply.actor - 1, entry.acted.ply.notation) for entry in entries if entry.HasField("acted")]


async def line(table: Table, *turns: tuple[str, ...]) -> pb.ConditionalLine:
    """Return the line of turns that begin with the first seat's, as they were played at another table."""
    anna, ben, twin = await begun(table)
    for number, turn in enumerate(turns):
        await play((anna, ben)[number % 2], twin, number % 2, *turn)
    return await line_of(table, twin)


async def line_of(table: Table, session: str, after: int = 0, before: int | None = None) -> pb.ConditionalLine:
    """Return a part of what was played at a table as a line."""
    entries = await table.owner(session).rebuilds.entries(session)
    acted = [entry.acted.ply for entry in entries if entry.HasField("acted")]
    return pb.ConditionalLine(moves=[pb.ConditionalMove(seat=ply.actor - 1, action=ply.action) for ply in acted[after:before]])


def cached(table: Table, session: str) -> CachedSession:
    loaded = table.owner(session).session_cache.known(session)
    assert loaded is not None
    return loaded


async def test_an_answer_is_played_in_the_commit_of_what_it_answers(table: Table) -> None:
    anna, ben, session = await begun(table, clock=SLOW)
    prepared = await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    assert [move.notation for move in prepared.lines[0].moves] == [*FIRST, *ANSWER]
    await play(anna, session, 0, *FIRST[:-1])
    assert await ben.prepared(session, 1) == [[FIRST[-1], *ANSWER]]
    table.clock.pass_s(3600)
    before = (await anna.see(session, 0)).version
    played = await anna.act(session, 0, notation=FIRST[-1])
    assert played.version == before + 1 + len(ANSWER)
    assert await plies(table, session) == [*((0, text) for text in FIRST), *((1, text) for text in ANSWER)]
    assert await ben.prepared(session, 1) == []
    update = await anna.see(session, 0)
    assert update.to_act == [0]
    assert [clock.left_ms for clock in update.clocks] == [3 * DAY_MS - 3_600_000 + 60_000, 3 * DAY_MS + 60_000]


async def test_lines_branch_and_those_that_do_not_match_are_dropped(table: Table) -> None:
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER), await line(table, OTHER_FIRST, OTHER_ANSWER))
    await play(anna, session, 0, *OTHER_FIRST)
    assert [text for _, text in await plies(table, session)] == [*OTHER_FIRST, *OTHER_ANSWER]
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    await play(anna, session, 0, *OTHER_FIRST)
    assert len(await plies(table, session)) == len(OTHER_FIRST)
    assert await ben.prepared(session, 1) == []


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_move_is_the_one_that_is_meant_whichever_way_it_was_drawn(table: Table, restarts: bool) -> None:
    drawn, listed = "G1-H1-I1-J1-K1", "6 G1..K1/4"
    rest = ("F1-G1-H1", "end")
    anna, ben, session = await begun(table)
    prepared = await ben.prepare(session, 1, await line(table, (drawn, *rest), ANSWER))
    assert [move.notation for move in prepared.lines[0].moves][:2] == [listed, "6 F1..H1/2"]
    for text in (listed, "F1-G1-H1"):
        await anna.act(session, 0, notation=text)
        if restarts:
            await table.restart()
    assert await ben.prepared(session, 1) == [["end", *ANSWER]]
    await anna.act(session, 0, notation="end")
    assert [text for seat, text in await plies(table, session) if seat == 1] == list(ANSWER)


async def test_taking_back_drops_them_and_an_offer_does_not(table: Table) -> None:
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    await anna.propose(session, 0, draw=True)
    assert await ben.prepared(session, 1) == [[*FIRST, *ANSWER]]
    await play(anna, session, 0, FIRST[0])
    await anna.undo(session, 0, to_plies=0)
    assert await ben.prepared(session, 1) == []


@pytest.mark.parametrize("seed", range(4))
async def test_the_record_is_the_one_that_the_player_would_have_made_by_hand(table: Table, seed: int) -> None:
    dice = random.Random(seed)
    anna, ben, twin = await begun(table)
    while len(await plies(table, twin)) < 24:
        seat = (await anna.see(twin)).to_act[0]
        choices = (await (anna, ben)[seat].see(twin, seat)).actions
        await (anna, ben)[seat].act(twin, seat, pick=dice.randrange(len(choices)))
    by_hand = await plies(table, twin)
    last = max(number for number, (actor, _) in enumerate(by_hand) if actor == 1) + 1
    whole = await line_of(table, twin)
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, pb.ConditionalLine(moves=whole.moves[:last]))
    dies_at = dice.randrange(last)
    for number, move in enumerate(whole.moves[:last]):
        if number == dies_at:
            await table.restart()
        if move.seat == 0:
            assert len(await plies(table, session)) == number
            await anna.act(session, 0, action=move.action)
    assert await plies(table, session) == by_hand[:last]
    assert await ben.prepared(session, 1) == []


async def test_lines_go_on_over_several_turns_of_either_seat(table: Table) -> None:
    anna, ben, session = await begun(table)
    whole = await line(table, FIRST, ANSWER, THIRD, FOURTH)
    count = len(FIRST)
    await ben.prepare(session, 1, whole)
    await play(anna, session, 0, *FIRST)
    assert await ben.prepared(session, 1) == [[*THIRD, *FOURTH]]
    anna, ben, session = await begun(table)
    await play(anna, session, 0, *FIRST)
    await anna.prepare(session, 0, pb.ConditionalLine(moves=whole.moves[count : -len(FOURTH)]))
    await play(ben, session, 1, ANSWER[0])
    assert await anna.prepared(session, 0) == [[*ANSWER[1:], *THIRD]]
    await play(ben, session, 1, *ANSWER[1:])
    assert [text for _, text in await plies(table, session)] == [*FIRST, *ANSWER, *THIRD]


async def test_a_new_owner_knows_them_as_they_are_by_then(table: Table) -> None:
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    await play(anna, session, 0, FIRST[0])
    await table.restart()
    assert await ben.prepared(session, 1) == [[*FIRST[1:], *ANSWER]]
    await play(anna, session, 0, *FIRST[1:])
    assert len(await plies(table, session)) == len(FIRST) + len(ANSWER)


async def test_they_end_when_the_player_who_set_them_leaves_the_seat(table: Table) -> None:
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    request = play_pb2.LeaveSessionRequest(session_id=session, seat_token=ben.token(session, 1), request_id=request_id())
    await ben.ask(leave_session=request)
    assert not cached(table, session).memory.conditional
    await play(anna, session, 0, *FIRST)
    assert len(await plies(table, session)) == len(FIRST)


async def test_other_players_notice_only_the_answer_that_is_played(table: Table) -> None:
    anna, ben, session = await begun(table)
    before = (await anna.see(session, 0)).SerializeToString(deterministic=True)
    log = await table.owner(session).store.log(session)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    await ben.prepare(session, 1)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    assert (await anna.see(session, 0)).SerializeToString(deterministic=True) == before
    assert await table.owner(session).store.log(session) == log
    assert await anna.prepared(session, 0) == []
    with refused("NOT_YOUR_SEAT"):
        await anna.prepare(session, 1, seat_token="somebody else's", expected_version=3)


async def test_a_player_acting_through_a_program_is_told_that_it_is_their_turn_again(table: Table) -> None:
    anna, ben, session = await begun(table)
    await ben.prepare(session, 1, await line(table, FIRST, ANSWER))
    await play(anna, session, 0, *FIRST[:-1])
    before = cached(table, session).state
    await play(anna, session, 0, FIRST[-1])
    noted = news_of(before, cached(table, session).state, 0)
    assert [(one.player_id, one.news.kind) for one in noted] == [("p-anna", news_pb2.News.KIND_YOUR_TURN)]


async def test_faults_of_lines_are_reported_with_their_place(table: Table) -> None:
    anna, ben, session = await begun(table)
    good = await line(table, FIRST, ANSWER)

    async def why(seat: int, *lines: pb.ConditionalLine) -> dict[str, str]:
        with refused("CONDITIONAL_MOVES") as caught:
            await (anna, ben)[seat].prepare(session, seat, *lines)
        return dict(caught.value.refusal.details)

    first = len(FIRST)
    illegal = pb.ConditionalLine(moves=[*good.moves[: first + 1], *good.moves[first : first + 1]])
    place = {"line": "1", "move": str(first)}
    assert await why(1, good, illegal) == {"conditional": "illegal", "line": "1", "move": str(first + 1)}
    assert await why(1, good, await line(table, FIRST, OTHER_ANSWER)) == {"conditional": "two_answers", **place}
    assert await why(0, good) == {"conditional": "your_turn"}
    for bad in (pb.ConditionalLine(), pb.ConditionalLine(moves=good.moves[:first]), pb.ConditionalLine(moves=good.moves[first:])):
        with refused("MALFORMED"):
            await ben.prepare(session, 1, bad)
    with refused("STALE_VERSION"):
        await ben.prepare(session, 1, good, expected_version=1)
    assert await ben.prepared(session, 1) == []


async def test_only_slow_games_in_which_nothing_is_hidden_have_them(table: Table) -> None:
    good = await line(table, FIRST, ANSWER)
    fast = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=DAY_MS - 1)
    _, ben, session = await begun(table, clock=fast)
    with refused("CONDITIONAL_MOVES") as caught:
        await ben.prepare(session, 1, good)
    assert caught.value.refusal.details["conditional"] == "clock"
    for game, why in (("einstein", "game"), ("emperado", "game"), ("wec", "options")):
        anna, ben = table.player("Anna"), table.player("Ben")
        session = (await anna.create("me", "open", game=game)).id
        await ben.join(session)
        seat = 1 - (await anna.see(session)).to_act[0]
        with refused("CONDITIONAL_MOVES") as caught:
            await (anna, ben)[seat].prepare(session, seat, good)
        assert caught.value.refusal.details["conditional"] == why
        assert not (await anna.conditional_moves(session, 1 - seat)).possible


async def test_weaponized_chess_has_them_with_options_that_hide_nothing(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec", options=open_chess())).id
    await ben.join(session)
    assert (await ben.conditional_moves(session, 1)).possible
    ahead: list[pb.ConditionalMove] = []
    for _ in range(4):
        looked = await ben.look_ahead(session, *ahead, seat=1)
        ahead.append(pb.ConditionalMove(seat=looked.to_act[0], action=looked.actions[0].action))
    last = max(number for number, move in enumerate(ahead) if move.seat == 1)
    await ben.prepare(session, 1, pb.ConditionalLine(moves=ahead[: last + 1]))
    for move in ahead[: last + 1]:
        if move.seat == 0:
            await anna.act(session, 0, action=move.action)
    assert [seat for seat, _ in await plies(table, session)] == [move.seat for move in ahead[: last + 1]]
