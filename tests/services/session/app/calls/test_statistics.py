"""Statistics for clients: games are counted once they are archived, odds come from the rules, runs from the AI service."""

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import statistics_pb2
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two


def wish(games: int = 10) -> statistics_pb2.RunWish:
    made = statistics_pb2.RunWish(game="einstein", games=games)
    made.seats.add(level="easy")
    made.seats.add(level="strong")
    return made


async def statistics(player: Player, game: str = "einstein", *, mine: bool = False) -> statistics_pb2.GetStatisticsResponse:
    request = statistics_pb2.GetStatisticsRequest(game=game, mine=mine)
    response: statistics_pb2.GetStatisticsResponse = await player.ask(get_statistics=request)
    return response


def rows(response: statistics_pb2.GetStatisticsResponse) -> set[tuple[int, str, str, int, int]]:
    return {(s.seats, t.kind, t.key, t.games, t.wins) for s in response.sheets for t in s.tallies}


async def finished(table: Table, *, public: bool) -> tuple[Player, Player]:
    anna, ben, game = await two(table, public=public)
    await anna.act(game, 0)
    await ben.resign(game, 1)
    await table.sweep()
    return anna, ben


async def counted(table: Table) -> int:
    return await table.wiring.statistics_feed.count_some()


async def test_a_finished_game_is_counted_once_for_everybody_and_for_its_players(table: Table) -> None:
    anna, ben = await finished(table, public=True)
    assert rows(await statistics(anna)) == set()
    assert await counted(table) == 1
    assert await counted(table) == 0
    everybody = rows(await statistics(anna))
    assert {(2, "all", "", 1, 1), (2, "seat", "0", 1, 1), (2, "seat", "1", 1, 0), (2, "level", "person", 2, 1)} <= everybody
    assert {(2, "seat", "1", 1, 0), (2, "against", "person", 1, 0)} <= rows(await statistics(ben, mine=True))
    assert rows(await statistics(Player(table, "Cleo"), mine=True)) == set()


async def test_a_private_game_is_counted_for_its_players_only(table: Table) -> None:
    anna, _ = await finished(table, public=False)
    assert await counted(table) == 1
    assert rows(await statistics(anna)) == set()
    assert (2, "seat", "0", 1, 1) in rows(await statistics(anna, mine=True))


async def test_games_that_no_process_owns_are_left_to_others(table: Table) -> None:
    await finished(table, public=True)
    table.wiring.statistics_feed._shards = list
    assert await counted(table) == 0


async def test_odds_are_shown_where_a_game_has_dice(table: Table) -> None:
    anna = Player(table, "Anna")
    assert {odds.id for odds in (await statistics(anna, "emperado")).odds} >= {"capture", "own_losses"}
    (mobility,) = (await statistics(anna)).odds
    assert len(mobility.values) == len(mobility.rows) * len(mobility.columns)
    assert not (await statistics(anna, "wec")).odds
    with refused("UNKNOWN"):
        await statistics(anna, "nothing")


async def test_ones_own_statistics_and_runs_need_a_token(table: Table) -> None:
    stranger = Player(table, "")
    stranger.caller.player_id = ""
    with refused("NO_TOKEN"):
        await statistics(stranger, mine=True)
    with refused("NO_TOKEN"):
        await stranger.ask(list_runs=statistics_pb2.ListRunsRequest())
    with refused("NO_TOKEN"):
        await stranger.ask(start_run=statistics_pb2.StartRunRequest(wish=wish(), request_id=request_id()))
    with refused("NO_TOKEN"):
        await stranger.ask(cancel_run=statistics_pb2.CancelRunRequest(run_id="x"))


async def test_a_run_is_asked_for_by_marks_and_the_same_request_is_the_same_run(table: Table) -> None:
    anna, ben = Player(table, "Anna"), Player(table, "Ben")
    anna.caller.address = "192.0.2.7"
    request = statistics_pb2.StartRunRequest(wish=wish(), request_id=request_id())
    first = (await anna.ask(start_run=request)).run
    assert (await anna.ask(start_run=request)).run.id == first.id
    assert (await ben.ask(start_run=request)).run.id != first.id
    asked: list[ai_pb2.BeginRunRequest] = table.ai.runs
    assert asked[0] == asked[1]
    assert asked[0].player != asked[2].player
    assert len(asked[0].player) == len(asked[0].address) == 16
    assert b"anna" not in asked[0].SerializeToString()
    assert b"192.0.2.7" not in asked[0].SerializeToString()
    with refused("MALFORMED"):
        await anna.ask(start_run=statistics_pb2.StartRunRequest(wish=wish(), request_id="short"))
    with refused("MALFORMED"):
        await anna.ask(start_run=statistics_pb2.StartRunRequest(request_id=request_id()))


async def test_a_run_can_be_looked_at_by_all_who_know_it_and_cancelled_by_its_starter(table: Table) -> None:
    anna, ben = Player(table, "Anna"), Player(table, "Ben")
    run = (await anna.ask(start_run=statistics_pb2.StartRunRequest(wish=wish(), request_id=request_id()))).run
    assert (await anna.ask(get_run=statistics_pb2.GetRunRequest(run_id=run.id))).run.mine
    assert not (await ben.ask(get_run=statistics_pb2.GetRunRequest(run_id=run.id))).run.mine
    await anna.ask(cancel_run=statistics_pb2.CancelRunRequest(run_id=run.id))
    assert [(ended.run_id, ended.player) for ended in table.ai.ended] == [(run.id, table.ai.runs[0].player)]
    with refused("MALFORMED"):
        await anna.ask(get_run=statistics_pb2.GetRunRequest())
