"""The calls about tournaments: who may do what and when, and what is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.calls import Caller
from services.players.opponents import blocks
from services.players.tournaments import tournament_rows, tournaments
from services.players.tournaments.tournament_rows import OPEN_MS
from services.runtime.refusal import Refused
from tests.services.players.tournaments.place import (
    ARENA,
    GROUPS,
    KNOCK_OUT,
    ONE_AGAINST_MANY,
    ROUND_ROBIN,
    TABLES,
    Place,
    callers,
)

ADA, BOB, CLEO = callers(3)
State = pb.Tournament


@contextmanager
def refused(reason: str, **expected: str) -> Iterator[None]:
    with pytest.raises(Refused) as caught:
        yield
    assert errors_pb2.Reason.Name(caught.value.reason) == f"REASON_{reason}"
    field = expected.pop("field", "")
    assert caught.value.refusal.field == field
    assert dict(caught.value.refusal.details).items() >= expected.items()


async def test_a_repeated_request_makes_one_tournament(place: Place):
    first = await place.one.create(ADA)
    assert (await place.other.create(ADA)).tournament_id == first.tournament_id
    with refused("REQUEST_ID_REUSED"):
        await place.one.create(ADA, name="Tuesday cup")
    assert (await place.one.create(BOB)).tournament_id != first.tournament_id


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"request_id": "short"}, "request_id"),
        ({"name": "  "}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"kind": 0}, "kind"),
        ({"kind": 7}, "kind"),
        ({"clock": record_pb2.ClockSpec()}, "clock"),
        ({"kind": ROUND_ROBIN, "rounds": 3}, "rounds"),
        ({"kind": KNOCK_OUT, "rounds": 3}, "rounds"),
        ({"seats": 3}, "seats"),
        ({"kind": TABLES}, "seats"),
        ({"kind": TABLES, "seats": 7}, "seats"),
        ({"max_players": 1}, "max_players"),
        ({"kind": ROUND_ROBIN, "max_players": 33}, "max_players"),
        ({"kind": GROUPS, "max_players": 65}, "max_players"),
        ({"kind": GROUPS, "rounds": 3}, "rounds"),
        ({"kind": ONE_AGAINST_MANY, "max_players": 34}, "max_players"),
        ({"kind": ONE_AGAINST_MANY, "late_entry": True}, "late_entry"),
        ({"join_timeout_s": 4}, "join_timeout_s"),
        ({"starts_at_ms": 1}, "starts_at_ms"),
    ],
)
async def test_an_impossible_tournament_is_refused_by_its_field(place: Place, fields: dict[str, Any], field: str):
    with refused("MALFORMED", field=field):
        await place.one.create(ADA, **fields)


async def test_a_start_too_far_away_and_an_unknown_game_are_refused(place: Place):
    with refused("MALFORMED", field="starts_at_ms"):
        await place.one.create(ADA, starts_at_ms=place.clock() + OPEN_MS + 1)
    with refused("UNKNOWN", what="game", field="game"):
        await place.one.create(ADA, game="chess")


async def test_a_game_that_the_session_service_refuses_makes_no_tournament(place: Place):
    place.sessions.away = Refused(errors_pb2.REASON_WORD_NOT_ALLOWED, "no", details={"word": "dummkopf"})
    with refused("WORD_NOT_ALLOWED", word="dummkopf"):
        await place.one.create(ADA, name="Dummkopf cup")
    listed = await place.one.ask("list_tournaments", ADA, pb.ListTournamentsRequest(mine=True))
    assert not listed.tournaments


async def test_owners_and_servers_have_room_for_so_many(place: Place, monkeypatch: pytest.MonkeyPatch):
    for number in range(tournaments.MAX_OWN):
        await place.one.create(ADA, request_id=f"tournament-{number}")
    with refused("FULL", bound="own_tournaments"):
        await place.one.create(ADA, request_id="tournament-more")
    monkeypatch.setattr(tournaments, "MAX_LIVE", tournaments.MAX_OWN)
    with refused("FULL", bound="tournaments"):
        await place.one.create(BOB)


async def test_so_many_join_as_there_is_room_for(place: Place, monkeypatch: pytest.MonkeyPatch):
    small = await place.one.create(ADA, max_players=2)
    await place.one.join(small, ADA, BOB, BOB)
    with refused("FULL", bound="players"):
        await place.one.join(small, CLEO)
    assert [one.player.name for one in (await place.one.get(small)).standings] == [ADA.name, BOB.name]
    monkeypatch.setattr(tournament_rows, "MAX_JOINED", 1)
    with refused("FULL", bound="joined_tournaments"):
        await place.one.join(await place.one.create(CLEO), ADA)


@pytest.mark.parametrize("kind", [kind for kind in pb.Tournament.Kind.values() if kind not in (0, pb.Tournament.KIND_CLUB_MATCH)])
async def test_every_kind_of_tournament_can_be_looked_at_before_it_starts(place: Place, kind: pb.Tournament.Kind.ValueType):
    tournament = await place.one.create(ADA, kind=kind, seats=4 * (kind == TABLES), duration_s=900 * (kind == ARENA))
    await place.one.join(tournament, ADA, BOB)
    whole = await place.one.get(tournament)
    assert [one.player.name for one in whole.standings] == [ADA.name, BOB.name]
    assert not whole.pairings


async def test_a_player_who_leaves_before_the_start_was_never_there_and_may_come_again(place: Place):
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, ADA, BOB)
    for _ in range(2):
        await place.one.leave(tournament, BOB)
    assert not (await place.one.get(tournament, BOB)).tournament.joined
    await place.one.join(tournament, BOB)
    assert (await place.one.get(tournament, BOB)).tournament.joined


async def test_a_player_who_leaves_a_running_round_robin_loses_their_remaining_games(place: Place):
    tournament = await place.one.create(ADA, kind=ROUND_ROBIN)
    await place.one.join(tournament, ADA, BOB, CLEO)
    await place.one.start(tournament, ADA)
    await place.one.leave(tournament, BOB)
    with refused("TOURNAMENT", tournament="running"):
        await place.one.join(tournament, BOB)
    while (whole := await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.play(tournament, max)
        await place.one.work()
    left = next(one for one in whole.standings if one.player.player_id == BOB.player_id)
    unplayed = [one for one in whole.pairings if one.unplayed and one.second and left.number in (one.first, one.second)]
    assert left.left and len(unplayed) == 1
    assert sum(one.points for one in whole.standings) == 3


async def test_only_its_owner_starts_or_cancels_it_and_only_when_that_is_possible(place: Place):
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, BOB)
    with refused("TOURNAMENT", tournament="not_owner"):
        await place.one.start(tournament, BOB)
    with refused("TOURNAMENT", tournament="too_few"):
        await place.one.start(tournament, ADA)
    await place.one.join(tournament, CLEO)
    await place.one.start(tournament, ADA)
    await place.one.start(tournament, ADA)
    cancel = pb.CancelTournamentRequest(tournament_id=tournament.tournament_id)
    with refused("TOURNAMENT", tournament="not_owner"):
        await place.one.ask("cancel_tournament", BOB, cancel)
    for _ in range(2):
        ended = (await place.one.ask("cancel_tournament", ADA, cancel)).tournament
        assert ended.state == State.STATE_CANCELLED
    with refused("TOURNAMENT", tournament="cancelled"):
        await place.one.start(tournament, ADA)
    await place.play(tournament, min)
    await place.one.work()
    assert (await place.one.get(tournament)).tournament.round == 1


async def test_a_round_that_is_given_up_before_its_sessions_are_there_has_none(place: Place):
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, ADA, BOB)
    await place.one.ask("start_tournament", ADA, pb.StartTournamentRequest(tournament_id=tournament.tournament_id))
    await place.one.ask("cancel_tournament", ADA, pb.CancelTournamentRequest(tournament_id=tournament.tournament_id))
    await place.one.work()
    assert place.sessions.asked == []


async def test_a_player_blocked_by_the_owner_does_not_join(place: Place):
    await place.store.run(lambda connection: blocks.block(connection, ADA.player_id, BOB.player_id, place.clock()))
    with refused("TOURNAMENT", tournament="blocked"):
        await place.one.join(await place.one.create(ADA), BOB)


async def test_an_unknown_tournament_can_neither_be_read_nor_joined(place: Place):
    nowhere = pb.Tournament(tournament_id="0" * 32)
    with refused("UNKNOWN", what="tournament", field="tournament_id"):
        await place.one.get(nowhere)
    with refused("UNKNOWN", what="tournament", field="tournament_id"):
        await place.one.join(nowhere, ADA)
    with refused("NO_TOKEN"):
        await place.one.join(nowhere, Caller("", "", ""))


async def test_public_ones_are_listed_for_all_and_others_for_those_who_are_in_them(place: Place):
    public = await place.one.create(ADA, public=True)
    private = await place.one.create(ADA, request_id="tournament-2")
    await place.one.join(private, BOB)

    async def listed(caller: Caller, **fields: Any) -> set[str]:
        found = await place.one.ask("list_tournaments", caller, pb.ListTournamentsRequest(**fields))
        return {one.tournament_id for one in found.tournaments}

    both = {public.tournament_id, private.tournament_id}
    assert await listed(ADA) == await listed(ADA, mine=True) == await listed(BOB) == both
    assert await listed(BOB, mine=True) == {private.tournament_id}
    assert await listed(CLEO) == await listed(Caller("", "", "")) == {public.tournament_id}
    assert await listed(CLEO, mine=True) == await listed(ADA, over=True) == await listed(ADA, game="wec") == set()


async def test_a_long_list_comes_in_pages(place: Place):
    for number in range(5):
        await place.one.create(ADA, public=True, request_id=f"tournament-{number}", name=str(number))
        place.clock.wait(number % 2)
    names, token = [], ""
    while True:
        request = pb.ListTournamentsRequest(page_size=2, page_token=token)
        page = await place.one.ask("list_tournaments", CLEO, request)
        names += [one.name for one in page.tournaments]
        if not (token := page.next_page_token):
            break
    assert sorted(names) == ["0", "1", "2", "3", "4"]
    with refused("MALFORMED", field="page_token"):
        await place.one.ask("list_tournaments", CLEO, pb.ListTournamentsRequest(page_token="nonsense"))


async def test_a_deleted_player_is_anonymous_in_the_tables_and_paired_no_more(place: Place):
    tournament = await place.one.create(ADA, kind=ROUND_ROBIN)
    await place.one.join(tournament, ADA, BOB, CLEO)
    later = await place.one.create(CLEO)
    await place.one.join(later, ADA)
    await place.one.start(tournament, ADA)
    exported = await place.store.run(lambda connection: whole_account.exported(connection, ADA.player_id))
    assert tournament.tournament_id in exported and later.tournament_id in exported
    await place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, 0))
    whole = await place.one.get(tournament)
    (gone,) = [one for one in whole.standings if one.left]
    assert (gone.player.player_id, gone.player.name, whole.tournament.owner.player_id) == ("", "", "")
    assert not (await place.one.get(later)).standings
