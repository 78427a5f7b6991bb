"""Clubs that meet in tests, and their match."""

from typing import Any

from brettwerk.v1 import club_matches_pb2 as calls_pb
from brettwerk.v1 import clubs_pb2, news_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.calls import Caller
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.news import feed
from services.runtime.word_list import WordFile
from tests.services.players.tournaments.place import CLOCK, Place

LINK, OPEN = clubs_pb2.Club.ENTRY_LINK, clubs_pb2.Club.ENTRY_OPEN


class Meeting:
    """Two clubs on a place: the first of the players of each one owns it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        clubs, members = Clubs(place.store, WordFile(""), place.clock), Membership(place.store, place.clock)
        self._handlers = {**clubs.handlers(), **members.handlers()}
        self.own, self.other = "", ""

    async def ask(self, name: str, caller: Caller, request: Any) -> Any:
        """Return the response to a call about clubs."""
        return (await self._handlers[name](request, caller)).response

    async def found(self, name: str, entry: clubs_pb2.Club.Entry.ValueType, *players: Caller) -> str:
        """Return the id of a new club of some players."""
        request = clubs_pb2.CreateClubRequest(name=name, entry=OPEN, request_id=f"club {name}")
        club_id: str = (await self.ask("create_club", players[0], request)).club.club_id
        for one in players[1:]:
            await self.ask("join_club", one, clubs_pb2.JoinClubRequest(club_id=club_id))
        await self.ask("change_club", players[0], clubs_pb2.ChangeClubRequest(club_id=club_id, name=name, entry=entry))
        return club_id

    async def gather(self, home: list[Caller], guests: list[Caller]) -> None:
        """Found both clubs, which nobody finds."""
        self.own = await self.found("Chess café", LINK, *home)
        self.other = await self.found("Old town", LINK, *guests)

    async def challenge(self, caller: Caller, **fields: Any) -> pb.Tournament:
        settings = {
            "club_id": self.own,
            "other_club_id": self.other,
            "game": "einstein",
            "clock": CLOCK,
            "starts_at_ms": self.place.clock() + 3_600_000,
            "request_id": "match-1234",
            **fields,
        }
        made: pb.Tournament = (
            await self.place.one.ask("challenge_club", caller, calls_pb.ChallengeClubRequest(**settings))
        ).match
        return made

    async def answer(self, match: pb.Tournament, caller: Caller, *, accept: bool = True) -> pb.Tournament:
        request = calls_pb.AnswerClubMatchRequest(tournament_id=match.tournament_id, accept=accept)
        after: pb.Tournament = (await self.place.one.ask("answer_club_match", caller, request)).match
        return after

    async def cancel(self, match: pb.Tournament, caller: Caller) -> pb.Tournament:
        request = calls_pb.CancelClubMatchRequest(tournament_id=match.tournament_id)
        after: pb.Tournament = (await self.place.one.ask("cancel_club_match", caller, request)).match
        return after

    async def enter(self, match: pb.Tournament, caller: Caller, club_id: str, *, withdraw: bool = False) -> pb.Tournament:
        request = calls_pb.EnterClubMatchRequest(tournament_id=match.tournament_id, club_id=club_id, withdraw=withdraw)
        after: pb.Tournament = (await self.place.one.ask("enter_club_match", caller, request)).match
        return after

    async def line_up(self, match: pb.Tournament, caller: Caller, club_id: str, *players: Caller) -> None:
        ids = [one.player_id for one in players]
        request = calls_pb.SetBoardOrderRequest(tournament_id=match.tournament_id, club_id=club_id, player_ids=ids)
        await self.place.one.ask("set_board_order", caller, request)

    async def agreed(self, home: list[Caller], guests: list[Caller], **fields: Any) -> pb.Tournament:
        """Return a match that all players of both clubs have entered."""
        await self.gather(home, guests)
        match = await self.challenge(home[0], **fields)
        await self.answer(match, guests[0])
        for club_id, players in ((self.own, home), (self.other, guests)):
            for one in players:
                await self.enter(match, one, club_id)
        return match

    async def begin(self, match: pb.Tournament, caller: Caller) -> pb.GetTournamentResponse:
        """Return a match that has begun."""
        self.place.clock.wait(3600)
        await self.place.one.work()
        return await self.place.one.get(match, caller)

    async def listed(self, caller: Caller, club_id: str, *, over: bool = False) -> list[pb.Tournament]:
        request = calls_pb.ListClubMatchesRequest(club_id=club_id, over=over)
        return [*(await self.place.one.ask("list_club_matches", caller, request)).matches]

    async def news(self, caller: Caller) -> list[news_pb2.News]:
        return [*(await self.place.store.run(lambda connection: feed.page(connection, caller.player_id, 0))).news]


def boards(whole: pb.GetTournamentResponse) -> list[str]:
    """Return who meets whom, by the last words of their names: 1-4."""
    names = {one.number: one.player.name.split()[-1] for one in whole.standings}
    return ["-".join(names[number] for number in (each.first, each.second, *each.others)) for each in whole.pairings]


def score(match: pb.Tournament) -> tuple[float, float]:
    return match.club_match.challenger.points, match.club_match.challenged.points
