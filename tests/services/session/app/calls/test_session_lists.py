"""Lists of sessions."""

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.archive.entry import Kept
from tests.night import at_night
from tests.services.session.domain.commands.test_seats_endings import rematch
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.settling import settling
from tests.services.session.table import Table
from tests.services.session.two_players import two


async def listed(who: Player, which: play_pb2.ListFilter.ValueType, page_size: int = 4, game: str = "") -> list[str]:
    found, token = [], ""
    while True:
        request = play_pb2.ListSessionsRequest(filter=which, page_size=page_size, page_token=token, game=game)
        page = await who.ask(list_sessions=request)
        assert len(page.sessions) <= page_size
        found += [session.id for session in page.sessions]
        token = page.next_page_token
        if not token:
            return found


async def test_the_lobby_shows_open_sessions_newest_first_over_all_shards(table: Table) -> None:
    anna = table.player("Anna")
    made = []
    for _ in range(15):
        made.append((await anna.create("me", "open", public=True)).id)
        table.clock.pass_s(1)
    await anna.create("me", "open")
    carl = table.player("Carl")
    assert await listed(carl, play_pb2.LIST_FILTER_OPEN) == made[::-1]
    assert await listed(carl, play_pb2.LIST_FILTER_OPEN, game="einstein") == made[::-1]
    assert await listed(carl, play_pb2.LIST_FILTER_OPEN, game="plateau") == []
    await carl.join(made[3])
    assert made[3] not in await listed(carl, play_pb2.LIST_FILTER_OPEN)
    assert await listed(carl, play_pb2.LIST_FILTER_RUNNING) == [made[3]]
    await anna.resign(made[3], 0)
    assert await listed(carl, play_pb2.LIST_FILTER_RUNNING) == []
    assert await listed(carl, play_pb2.LIST_FILTER_FINISHED) == [made[3]]


async def test_a_table_that_settles_is_in_no_list_of_the_lobby(table: Table) -> None:
    anna, ben, session = await settling(table, public=True)
    lists = (play_pb2.LIST_FILTER_OPEN, play_pb2.LIST_FILTER_RUNNING, play_pb2.LIST_FILTER_FINISHED)
    assert [await listed(ben, which) for which in lists] == [[], [], []]
    assert await listed(ben, play_pb2.LIST_FILTER_MINE) == [session]
    await anna.begin(session, 0)
    assert await listed(ben, play_pb2.LIST_FILTER_RUNNING) == [session]


async def test_sessions_of_one_moment_are_neither_lost_nor_repeated(table: Table) -> None:
    anna = table.player("Anna")
    made = {(await anna.create("me", "open", public=True)).id for _ in range(12)}
    found = await listed(anna, play_pb2.LIST_FILTER_OPEN, page_size=5)
    assert len(found) == 12
    assert set(found) == made


async def test_own_sessions_are_those_in_which_one_has_or_had_a_seat(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    private = (await anna.create("me", "open")).id
    table.clock.pass_s(1)
    other = (await anna.create("me", "easy")).id
    await ben.join(private)
    assert await listed(anna, play_pb2.LIST_FILTER_MINE) == [other, private] or set(
        await listed(anna, play_pb2.LIST_FILTER_MINE)
    ) == {other, private}
    assert await listed(ben, play_pb2.LIST_FILTER_MINE) == [private]
    nobody = table.player("")
    nobody.caller.player_id = ""
    with refused("NO_TOKEN"):
        await listed(nobody, play_pb2.LIST_FILTER_MINE)


async def test_a_list_tells_whose_turn_it_is_since_when_and_how_much_time_is_left(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * 86_400_000)
    session = (await anna.create("me", "open", clock=clock)).id
    await ben.join(session)
    began_ms = table.clock.now_ms
    table.clock.pass_s(7200)
    page = await ben.ask(list_sessions=play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))
    (turn,) = page.turns
    assert (list(turn.to_act), turn.at_ms) == ([0], began_ms)
    assert [(one.left_ms, one.running) for one in turn.clocks] == [(70 * 3_600_000, True), (72 * 3_600_000, False)]
    await anna.resign(session, 0)
    page = await ben.ask(list_sessions=play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))
    assert (list(page.turns[0].to_act), page.turns[0].at_ms) == ([], table.clock.now_ms)


@pytest.mark.parametrize("which", ["list_sessions", "search_games"])
async def test_a_game_that_there_is_not_is_refused_with_those_that_there_are(table: Table, which: str) -> None:
    requests = {"list_sessions": play_pb2.ListSessionsRequest, "search_games": play_pb2.SearchGamesRequest}
    with refused("UNKNOWN") as unknown:
        await table.player("Anna").ask(**{which: requests[which](game="halma")})
    refusal = unknown.value.refusal
    assert (refusal.field, refusal.details["value"]) == ("game", "halma")
    assert "einstein" in refusal.details["known"].split(", ")
    await table.player("Anna").ask(**{which: requests[which](game="plateau")})


async def test_a_page_token_of_ones_own_making_is_refused(table: Table) -> None:
    with refused("MALFORMED"):
        await table.player("Anna").ask(list_sessions=play_pb2.ListSessionsRequest(page_token="made up"))


async def test_a_game_that_0_1_0_has_archived_is_listed_with_winner_and_places(table: Table) -> None:
    anna = table.player("Anna")
    session = sessions_pb2.Session(id="07abcdefghijklmnopqrstuv", game="einstein", state=sessions_pb2.Session.STATE_FINISHED)
    session.outcome.scores.extend([0, 1])
    old = Kept(
        session_id=session.id,
        game="einstein",
        rules_version="1",
        public=True,
        title="",
        players=(),
        winners=(),
        places=(),
        scores=(0, 1),
        finished_at_ms=1,
        record=b"",
        session=session.SerializeToString(),
    )
    await table.wiring.archive.keep(old)
    request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_FINISHED)
    (found,) = (await anna.ask(list_sessions=request)).sessions
    assert (list(found.outcome.winners), list(found.outcome.places)) == ([1], [2, 1])


async def going_on(who: Player, page_size: int = 100) -> dict[str, sessions_pb2.OwnSeats]:
    """Return a player's unfinished sessions, newest first, with what they have there."""
    found: dict[str, sessions_pb2.OwnSeats] = {}
    token = ""
    while True:
        mine = play_pb2.LIST_FILTER_MINE
        page = await who.ask(
            list_sessions=play_pb2.ListSessionsRequest(filter=mine, unfinished=True, page_size=page_size, page_token=token)
        )
        assert len(page.sessions) == len(page.turns) <= page_size
        found |= {session.id: turn.own for session, turn in zip(page.sessions, page.turns, strict=True)}
        token = page.next_page_token
        if not token:
            return found


@pytest.mark.parametrize("over", [5, 130, at_night(5000)])
async def test_unfinished_games_are_found_however_many_are_over(table: Table, over: int) -> None:
    anna = table.player("Anna")
    running = [(await anna.create("me", "easy")).id for _ in range(3)]
    for _ in range(over):
        await anna.resign((await anna.create("me", "easy")).id, 0)
    table.clock.pass_s(1)
    running.append((await anna.create("me", "open")).id)
    for page_size in (2, 100):
        found = await going_on(anna, page_size)
        assert (set(found), next(iter(found))) == (set(running), running[-1])
    assert all((list(own.held), list(own.kept), own.invited) == ([0], [], False) for own in found.values())


async def test_own_lists_tell_held_and_kept_seats_and_invitations(table: Table) -> None:
    anna, ben, over = await two(table)
    waiting = (await anna.create("open", "open")).id
    left = (await anna.create("open", "me")).id
    await ben.join(left)
    leave = play_pb2.LeaveSessionRequest(session_id=left, seat_token=anna.token(left, 1), request_id=request_id())
    await anna.ask(leave_session=leave)
    await ben.resign(over, 1)
    again = (await ben.ask(rematch=rematch(ben, over))).session.id
    found = {session: (list(own.held), list(own.kept), own.invited) for session, own in (await going_on(anna)).items()}
    assert found == {waiting: ([], [], False), left: ([], [], False), again: ([], [1], True)}
    held = {session: (list(own.held), list(own.kept), own.invited) for session, own in (await going_on(ben)).items()}
    assert held == {again: ([0], [], False), left: ([0], [], False)}
    page = await anna.ask(list_sessions=play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_OPEN))
    assert not any(turn.HasField("own") for turn in page.turns)
