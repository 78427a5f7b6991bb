"""Clubs of a test: a real database, and a clock that stands."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import errors_pb2
from services.players.calls import Caller
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.clubs.talk import ClubTalk
from services.players.store import open_store
from services.runtime.refusal import Refused
from services.runtime.word_list import WordFile
from tests.services.players.opponents.place import Clock, player

LINK, REQUEST, OPEN = pb.Club.ENTRY_LINK, pb.Club.ENTRY_REQUEST, pb.Club.ENTRY_OPEN
ADA, BOB, CLEO, DAN = (player(letter, name) for letter, name in zip("abcd", ("Ada", "Bob", "Cleo", "Dan"), strict=True))
NOBODY = Caller("", "", "192.0.2.1")


@contextmanager
def refused(reason: str, **expected: str) -> Iterator[None]:
    with pytest.raises(Refused) as caught:
        yield
    assert errors_pb2.Reason.Name(caught.value.reason) == f"REASON_{reason}"
    field = expected.pop("field", None)
    assert field in (None, caught.value.refusal.field)
    assert dict(caught.value.refusal.details).items() >= expected.items()


class Place:
    """The calls of one process on a database. The clock goes on by a millisecond with each call, so that there is an order."""

    def __init__(self, players_url: str, words: str = "", *, talk: bool = True) -> None:
        self.clock, self.store = Clock(), open_store(players_url)
        file = WordFile(words)
        clubs, members = Clubs(self.store, file, self.clock), Membership(self.store, self.clock)
        said = ClubTalk(self.store, file, talk, self.clock)
        self._handlers = {**clubs.handlers(), **members.handlers(), **said.handlers()}
        self._requests = 0

    def close(self) -> None:
        self.store.close()

    async def ask(self, name: str, caller: Caller, request: Any) -> Any:
        """Return the response to a call, by its field in a Call."""
        self.clock.wait(0.001)
        return (await self._handlers[name](request, caller)).response

    def request_id(self) -> str:
        self._requests += 1
        return f"request-{self._requests}"

    async def create(self, caller: Caller = ADA, **fields: Any) -> pb.Club:
        request = pb.CreateClubRequest(**{"name": "Monday club", "request_id": self.request_id(), **fields})
        made: pb.Club = (await self.ask("create_club", caller, request)).club
        return made

    async def get(self, club: pb.Club, caller: Caller = ADA, code: str = "") -> pb.GetClubResponse:
        found: pb.GetClubResponse = await self.ask("get_club", caller, pb.GetClubRequest(club_id=club.club_id, code=code))
        return found

    async def listed(self, caller: Caller, **fields: Any) -> list[str]:
        found = await self.ask("list_clubs", caller, pb.ListClubsRequest(**fields))
        return [one.name for one in found.clubs]

    async def link(self, club: pb.Club, caller: Caller = ADA) -> str:
        request = pb.CreateClubLinkRequest(club_id=club.club_id, request_id=self.request_id())
        code: str = (await self.ask("create_club_link", caller, request)).link.code
        return code

    async def join(self, club: pb.Club, caller: Caller, code: str = "") -> pb.Club:
        joined: pb.Club = (await self.ask("join_club", caller, pb.JoinClubRequest(club_id=club.club_id, code=code))).club
        return joined

    async def leave(self, club: pb.Club, caller: Caller) -> None:
        await self.ask("leave_club", caller, pb.LeaveClubRequest(club_id=club.club_id))

    async def give(self, club: pb.Club, caller: Caller, whom: Caller, role: pb.Club.Role.ValueType) -> pb.Club:
        request = pb.SetClubRoleRequest(club_id=club.club_id, player_id=whom.player_id, role=role)
        changed: pb.Club = (await self.ask("set_club_role", caller, request)).club
        return changed

    async def say(self, club: pb.Club, caller: Caller, text: str, request_id: str = "") -> pb.ClubLine:
        request = pb.SayInClubRequest(club_id=club.club_id, text=text, request_id=request_id or self.request_id())
        line: pb.ClubLine = (await self.ask("say_in_club", caller, request)).line
        return line

    async def talk(self, club: pb.Club, caller: Caller = ADA, known_version: int = 0) -> pb.ListClubTalkResponse:
        request = pb.ListClubTalkRequest(club_id=club.club_id, known_version=known_version)
        said: pb.ListClubTalkResponse = await self.ask("list_club_talk", caller, request)
        return said

    async def heard(self, club: pb.Club, caller: Caller = ADA) -> list[str]:
        return [line.text for line in (await self.talk(club, caller)).lines]

    async def roles(self, club: pb.Club, caller: Caller = ADA) -> dict[str, int]:
        return {one.player.name: one.role for one in (await self.get(club, caller)).members}
