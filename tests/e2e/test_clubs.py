"""A club in a whole deployment, through the gateway and the client package: joined by link and by asking, and what it shows."""

from typing import Any

import pytest

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import profiles_pb2, record_pb2, tournaments_pb2
from brettwerk_client import Client, Refused, me, nobody
from brettwerk_client.refusals import ClubRefused
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=3_000)
MEMBER, ASKING, OWNER = pb.Club.ROLE_MEMBER, pb.Club.ROLE_ASKING, pb.Club.ROLE_OWNER


def create(client: Client, name: str, entry: pb.Club.Entry.ValueType = pb.Club.ENTRY_LINK) -> str:
    club_id: str = client.call(client.service.CreateClub, pb.CreateClubRequest(name=name, entry=entry)).club.club_id
    return club_id


def join(client: Client, club_id: str, code: str = "") -> pb.Club.Role.ValueType:
    return client.call(client.service.JoinClub, pb.JoinClubRequest(club_id=club_id, code=code)).club.role


def get(client: Client, club_id: str) -> pb.GetClubResponse:
    return client.call(client.service.GetClub, pb.GetClubRequest(club_id=club_id))


def test_a_private_club_is_joined_by_link_and_its_members_talk(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        club_id = create(ada, "Quiet corner")
        with pytest.raises(Refused, match="no such club"):
            get(bert, club_id)
        link = ada.call(ada.service.CreateClubLink, pb.CreateClubLinkRequest(club_id=club_id)).link
        assert join(bert, club_id, link.code) == MEMBER
        bert.call(bert.service.SayInClub, pb.SayInClubRequest(club_id=club_id, text="Hello, Ada"))
        said = ada.call(ada.service.ListClubTalk, pb.ListClubTalkRequest(club_id=club_id))
        assert [(line.name, line.text) for line in said.lines] == [("Bert", "Hello, Ada")]
        ada.call(ada.service.LeaveClub, pb.LeaveClubRequest(club_id=club_id))
        assert [(one.player.name, one.role) for one in get(bert, club_id).members] == [("Bert", OWNER)]


def test_a_listed_club_is_asked_and_shows_its_tables_tournaments_and_leaders_to_members_only(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        club_id = create(ada, "Asking welcome", pb.Club.ENTRY_REQUEST)
        found = bert.call(bert.service.ListClubs, pb.ListClubsRequest(name="asking WEL")).clubs
        assert [one.club_id for one in found] == [club_id]
        cup = tournaments_pb2.CreateTournamentRequest(
            name="Club cup", game="einstein", clock=CLOCK, kind=tournaments_pb2.Tournament.KIND_SWISS, club_id=club_id
        )
        tournament_id = ada.call(ada.service.CreateTournament, cup).tournament.tournament_id
        seat = ada.create_session("einstein", [me(), nobody()]).seat
        ada.call(ada.service.AddClubTable, pb.AddClubTableRequest(club_id=club_id, session_id=seat.session_id))
        joining = tournaments_pb2.JoinTournamentRequest(tournament_id=tournament_id)
        leaders = profiles_pb2.ListLeadersRequest(game="einstein", kind=profiles_pb2.PLAY_KIND_TWO, club_id=club_id)
        listing = tournaments_pb2.ListTournamentsRequest(club_id=club_id)
        assert join(bert, club_id) == ASKING
        attempts: list[tuple[Any, Any]] = [
            (bert.service.JoinTournament, joining),
            (bert.service.ListLeaders, leaders),
            (bert.service.ListTournaments, listing),
            (bert.service.CreateTournament, cup),
        ]
        for method, request in attempts:
            with pytest.raises(ClubRefused) as refused:
                bert.call(method, request)
            assert refused.value.refusal.details["club"] == "not_member"
        with pytest.raises(Refused, match="no such tournament"):
            bert.call(bert.service.GetTournament, tournaments_pb2.GetTournamentRequest(tournament_id=tournament_id))
        assert not get(bert, club_id).tables and bert.player is not None
        letting = pb.SetClubRoleRequest(club_id=club_id, player_id=bert.player.id, role=MEMBER)
        assert ada.call(ada.service.SetClubRole, letting).club.members == 2
        assert bert.call(bert.service.JoinTournament, joining).tournament.club_id == club_id
        assert not bert.call(bert.service.ListLeaders, leaders).leaders
        assert [one.name for one in bert.call(bert.service.ListTournaments, listing).tournaments] == ["Club cup"]
        (table,) = get(bert, club_id).tables
        assert bert.join_session(table.session_id).number == 1
