"""Answers to players about their games: profile, search, leaders."""

from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import profiles_pb2 as pb
from services.players import whole_account
from services.players.accounts import rows
from services.players.accounts.deleted_players import mark_of
from services.players.accounts.tables import ACCOUNTS
from services.players.calls import Answered, Caller
from services.players.profiles.profiles import Profiles
from services.players.ratings.pools import DAY_MS, week_of
from services.runtime.refusal import Refused
from tests.services.players.intake.finished_games import computer, kept, outcome, person, session_id
from tests.services.players.intake.place import Place

NOW_MS = 1_700_000_000_000
ANNA = Caller("anna", "Anna", "192.0.2.1")
TWO = pb.PLAY_KIND_TWO


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


DAYS_PART = 8
"""So many hours apart, games of the same two all count in full."""


async def played(
    place: Place, *games: tuple[str, str, int | None], competitive: bool = True, first: int = 0, hours: int = 1
) -> Profiles:
    """Take games of a player against a player or a level (that begins with `@`), won by a seat or drawn, some hours apart."""
    for number, (one, other, winner) in enumerate(games, first):
        opponent = computer(other[1:]) if other.startswith("@") else person(other)
        ended = outcome(*([] if winner is None else [winner]))
        at_ms = NOW_MS + number * hours * 3_600_000
        one_game = kept(number, person(one), opponent, ended=ended, competitive=competitive, finished_at_ms=at_ms)
        await place.archive.keep(one_game)
    place.taking.take([session_id(number) for number in range(first, first + len(games))])
    return Profiles(place.store, lambda: NOW_MS + 2 * DAY_MS)


async def answer(call: Awaitable[Answered]) -> Any:
    return (await call).response


async def results(profiles: Profiles, **wanted: Any) -> list[str]:
    return [one.session_id for one in (await answer(profiles.list_results(pb.ListResultsRequest(**wanted), ANNA))).games]


async def test_a_profile_counts_games_opponents_and_wins_in_a_row(place: Place):
    games = [("anna", "bert", 0), ("anna", "bert", 0), ("bert", "anna", 1), ("anna", "@easy", 1), ("anna", "bert", None)]
    profiles = await played(place, *games, ("anna", "@easy", 0), ("bert", "cleo", 0))
    received = await answer(profiles.get_profile(pb.GetProfileRequest(), ANNA))
    (summary,) = received.games
    assert (summary.game, summary.games, summary.won, summary.lost, summary.drawn) == ("einstein", 6, 4, 1, 1)
    assert [(one.reason, one.games) for one in summary.endings] == [("corner", 4), ("corner", 1), ("corner", 1)]
    assert [(one.player_id, one.name, one.level, one.game, one.games, one.ahead, one.behind) for one in received.opponents] == [
        ("bert", "Bert", "", "", 4, 3, 0),
        ("", "", "easy", "einstein", 2, 1, 1),
    ]
    assert (received.longest_streak, received.streak) == (3, 1)
    (rating,) = received.ratings
    assert (rating.game, rating.kind, rating.games, rating.provisional, rating.rank) == ("einstein", TWO, 6, True, 0)
    assert len(rating.points) == 6
    assert rating.points[-1].rating == rating.rating > 1500


async def test_anybody_is_told_of_another_player_and_players_how_they_did_against_them(place: Place):
    games = [("anna", "bert", 0), ("anna", "bert", 0), ("bert", "cleo", 0), ("anna", "cleo", 1)]
    profiles = await played(place, *games)
    wanted = pb.GetProfileRequest(player_id="bert")
    received = await answer(profiles.get_profile(wanted, ANNA))
    assert (received.player_id, received.name, received.games[0].games, received.ratings[0].games) == ("bert", "Bert", 3, 3)
    assert [(one.player_id, one.games, one.ahead, one.behind) for one in received.opponents] == [("anna", 2, 0, 2)]
    assert not (await answer(profiles.get_profile(wanted, Caller("dora", "Dora", "")))).opponents
    assert not (await answer(profiles.get_profile(wanted, Caller("", "", "")))).opponents
    assert (await answer(profiles.get_profile(pb.GetProfileRequest(player_id="anna"), ANNA))).opponents[0].name == "Bert"


@pytest.mark.parametrize("gone", [True, False])
async def test_a_deleted_or_unknown_player_has_no_profile(place: Place, gone: bool):
    profiles = await played(place, ("anna", "bert", 0))
    place.store.run_here(lambda connection: whole_account.remove(connection, "bert", 0))
    for player_id in ["bert", mark_of("bert")] if gone else ["nobody"]:
        with pytest.raises(Refused) as refused:
            await profiles.get_profile(pb.GetProfileRequest(player_id=player_id), ANNA)
        assert refused.value.reason == errors_pb2.REASON_UNKNOWN


async def test_a_search_finds_by_game_opponent_level_result_and_time_newest_first(place: Place):
    games = [("anna", "Özil", 0), ("anna", "bert", 1), ("anna", "@easy", 0), ("cleo", "bert", 0), ("anna", "b%rt", None)]
    profiles = await played(place, *games)
    ids = [session_id(number) for number in range(5)]
    assert await results(profiles) == [ids[4], ids[2], ids[1], ids[0]]
    assert await results(profiles, opponent="öZI") == [ids[0]]
    assert await results(profiles, opponent="b%r") == [ids[4]]
    assert await results(profiles, opponent="Anna") == []
    assert await results(profiles, opponent_id="bert") == [ids[1]]
    assert await results(profiles, level="easy") == [ids[2]]
    assert await results(profiles, result=pb.GAME_RESULT_WON) == [ids[2], ids[0]]
    assert await results(profiles, game="wec") == []
    hour = 3_600_000
    assert await results(profiles, from_ms=NOW_MS + hour, until_ms=NOW_MS + 2 * hour) == [ids[1]]


async def test_pages_of_a_search_have_every_game_once(place: Place):
    profiles = await played(place, *[("anna", "bert", number % 2) for number in range(23)])
    found: list[str] = []
    token = ""
    for _ in range(10):
        page = await answer(profiles.list_results(pb.ListResultsRequest(page_size=5, page_token=token), ANNA))
        found += [one.session_id for one in page.games]
        token = page.next_page_token
        if not token:
            break
    assert found == [session_id(number) for number in reversed(range(23))]


@pytest.mark.parametrize("size", [1, 2, 3])
async def test_a_player_with_both_seats_of_a_game_finds_both_wherever_a_page_ends(place: Place, size: int):
    profiles = await played(place, ("anna", "anna", 0), ("anna", "bert", 0), ("anna", "anna", 1))
    found: list[tuple[str, int]] = []
    token = ""
    for _ in range(6):
        page = await answer(profiles.list_results(pb.ListResultsRequest(page_size=size, page_token=token), ANNA))
        found += [(one.session_id, one.seat) for one in page.games]
        token = page.next_page_token
        if not token:
            break
    ids = [session_id(number) for number in range(3)]
    assert found == [(ids[2], 0), (ids[2], 1), (ids[1], 0), (ids[0], 0), (ids[0], 1)]


@pytest.mark.parametrize("token", ["x", "1700000000000/a", "-1/1700000000000/a", "1/", "99999/1/a"])
async def test_a_token_of_no_page_is_refused(place: Place, token: str):
    with pytest.raises(Refused) as refused:
        await Profiles(place.store).list_results(pb.ListResultsRequest(page_token=token), ANNA)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "page_token")


async def test_a_game_has_its_other_players_and_its_effect_on_the_rating(place: Place):
    profiles = await played(place, ("anna", "bert", 0))
    (game,) = (await answer(profiles.list_results(pb.ListResultsRequest(), ANNA))).games
    assert (game.seats, game.plies, game.seat, game.result, game.place) == (2, 24, 0, pb.GAME_RESULT_WON, 1)
    assert (game.reason, game.competitive) == ("reason.corner.0", True)
    (bert,) = game.others
    assert (bert.seat, bert.player_id, bert.name, bert.result, bert.partner) == (1, "bert", "Bert", pb.GAME_RESULT_LOST, False)
    assert game.change.before == 1500 < game.change.after


async def test_a_deleted_player_has_no_name_and_no_rank_any_more(place: Place):
    profiles = await played(place, ("anna", "bert", 0))
    place.store.run_here(lambda connection: whole_account.remove(connection, "bert", 0))
    (game,) = (await answer(profiles.list_results(pb.ListResultsRequest(), ANNA))).games
    assert [(one.player_id, one.name) for one in game.others] == [("", "")]
    assert game.change.after > 1500
    (opponent,) = (await answer(profiles.get_profile(pb.GetProfileRequest(), ANNA))).opponents
    assert (opponent.player_id, opponent.name, opponent.ahead) == ("", "", 1)
    board = await answer(profiles.list_leaders(pb.ListLeadersRequest(game="einstein", kind=TWO), ANNA))
    assert [one.player_id for one in board.leaders] == ["anna"]


async def test_leaders_are_ranked_and_provisional_ones_stand_behind_them_without_a_rank(place: Place):
    games = [(f"p{number % 3}", f"p{(number + 1) % 3}", 0 if number % 3 < 2 else None) for number in range(90)]
    profiles = await played(place, *games, ("new", "@best", 0), hours=DAYS_PART)
    board = await answer(profiles.list_leaders(pb.ListLeadersRequest(game="einstein", kind=TWO), Caller("", "", "")))
    assert [one.rank for one in board.leaders] == [1, 2, 3, 0]
    assert board.leaders[0].name == board.leaders[0].player_id.title()
    assert board.leaders[3].player_id == "new"
    assert [one.rating for one in board.leaders[:3]] == sorted((one.rating for one in board.leaders[:3]), reverse=True)
    assert [one.level for one in board.levels] == ["best", "strong", "normal", "easy", "beginner"]
    leader = Caller(board.leaders[0].player_id, "", "")
    assert (await answer(profiles.get_profile(pb.GetProfileRequest(), leader))).ratings[0].rank == 1
    pages = [pb.ListLeadersRequest(game="einstein", kind=TWO, page_size=2, page_token=token) for token in ("", "2")]
    paged = [await answer(profiles.list_leaders(page, ANNA)) for page in pages]
    assert [one.player_id for page in paged for one in page.leaders] == [one.player_id for one in board.leaders]
    own = [(await answer(profiles.list_leaders(pages[0], Caller(one.player_id, "", "")))).own for one in board.leaders]
    assert own == list(board.leaders)
    assert not (await answer(profiles.list_leaders(pages[0], ANNA))).HasField("own")


async def test_a_week_ranks_by_what_was_gained_in_it(place: Place):
    many = [(f"p{number % 3}", f"p{(number + 1) % 3}", 0 if number % 3 < 2 else None) for number in range(90)]
    profiles = await played(place, *many, hours=DAYS_PART)
    monday = (week_of(NOW_MS + 90 * DAYS_PART * 3_600_000) * 7 + 4) * DAY_MS
    upset = kept(500, person("p2"), person("p0"), ended=outcome(0), competitive=True, finished_at_ms=monday)
    await place.archive.keep(upset)
    place.taking.take([session_id(500)])
    wanted = pb.ListLeadersRequest(game="einstein", kind=TWO, week_ms=monday + DAY_MS)
    week = await answer(profiles.list_leaders(wanted, ANNA))
    assert [(one.rank, one.player_id, one.games) for one in week.leaders] == [(1, "p2", 1), (2, "p0", 1)]
    assert week.leaders[0].gain > 0 > week.leaders[1].gain
    before = await answer(profiles.list_leaders(pb.ListLeadersRequest(game="einstein", kind=TWO, week_ms=monday - 1), ANNA))
    assert len(before.leaders) == 3
    assert (await answer(profiles.list_leaders(wanted, Caller("p0", "", "")))).own == week.leaders[1]


@pytest.mark.parametrize(
    "wanted", [pb.ListLeadersRequest(game="einstein"), pb.ListLeadersRequest(game="einstein", kind=TWO, page_token="-1")]
)
async def test_a_ranking_of_nothing_is_refused(place: Place, wanted: pb.ListLeadersRequest):
    with pytest.raises(Refused) as refused:
        await Profiles(place.store).list_leaders(wanted, ANNA)
    assert refused.value.reason == errors_pb2.REASON_MALFORMED


async def test_every_player_has_a_profile(place: Place):
    profiles, nobody = Profiles(place.store), Caller("", "", "")
    for call in (
        profiles.get_profile(pb.GetProfileRequest(), nobody),
        profiles.list_results(pb.ListResultsRequest(), nobody),
    ):
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


async def account(place: Place, player_id: str, name: str, number: int) -> None:
    """Let a player have an account, made later the higher its number is."""
    caller = Caller(player_id, name, "192.0.2.1")
    await place.store.run(lambda connection: rows.keep(connection, caller, NOW_MS + number))


async def lookalikes(place: Place, *players: tuple[str, str]) -> list[tuple[str, str]]:
    """Return which of some players look like which accounts."""
    request = pb.FindLookalikesRequest(players=[pb.NamedPlayer(player_id=one, name=name) for one, name in players])
    found = (await answer(Profiles(place.store).find_lookalikes(request, Caller("", "", "192.0.2.9")))).lookalikes
    return [(one.player.player_id, one.account.player_id) for one in found]


async def test_a_player_who_looks_like_an_older_account_is_told_from_it(place: Place):
    for number, (player_id, name) in enumerate((("anna", "Anna"), ("berta", "Аnnа"), ("carla", "Carla"))):
        await account(place, player_id, name, number)
    # the account itself, a newer one in Cyrillic letters, guests with the same name, another case and none of them
    asked = (("anna", "Anna"), ("berta", "Аnnа"), ("guest1", "Anna"), ("guest2", "ANNA"), ("guest3", "Anne"), ("carla", "Carla"))
    assert await lookalikes(place, *asked) == [("berta", "anna"), ("guest1", "anna"), ("guest2", "anna")]


async def test_a_player_who_takes_the_name_of_an_account_looks_like_it_and_the_account_never(place: Place):
    await account(place, "anna", "Anna", 0)
    await account(place, "berta", "Berta", 1)
    await place.store.run(lambda connection: rows.rename(connection, "berta", "Anna"))
    assert await lookalikes(place, ("berta", "Anna"), ("anna", "Anna")) == [("berta", "anna")]


async def test_an_account_that_an_earlier_release_has_made_gets_its_skeleton_when_its_player_calls(place: Place):
    await place.store.run(lambda connection: rows.keep(connection, ANNA, NOW_MS))
    await place.store.run(lambda connection: connection.execute(update(ACCOUNTS).values(skeleton="")))
    assert await lookalikes(place, ("guest", "Аnnа"), ("nameless", ""), ("unseen", "\u3164")) == []
    await place.store.run(lambda connection: rows.own(connection, ANNA))
    assert await lookalikes(place, ("guest", "Аnnа")) == [("guest", "anna")]
