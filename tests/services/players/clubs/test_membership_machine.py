"""Five players do anything in two clubs: each club that there is has one owner, and everybody has the role of a simple model."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from brettwerk.v1 import clubs_pb2 as pb
from services.players import whole_account
from services.players.calls import Caller
from services.players.clubs.roles import ASKING, INSIDE, MEMBER, NONE, ORGANISER, ORGANISERS, OWNER, REMOVED, objection
from services.runtime.refusal import Refused
from tests.night import examples
from tests.services.players.clubs.place import LINK, OPEN, REQUEST, Place
from tests.services.players.opponents.place import player

PLAYERS = [player(letter, letter.upper()) for letter in "pqrst"]
WHO = st.sampled_from(PLAYERS)
ENTRIES = st.sampled_from([LINK, REQUEST, OPEN])


class Club:
    """A club as it should be."""

    def __init__(self, made: pb.Club, code: str, owner: Caller) -> None:
        self.made, self.code, self.entry = made, code, made.entry
        self.roles: dict[str, int] = {owner.player_id: OWNER}
        self.order: list[str] = [owner.player_id]
        """Its members, those of longest standing first."""

    def leave(self, player_id: str) -> None:
        was_owner = self.roles.pop(player_id) == OWNER
        self.order.remove(player_id)
        if was_owner and self.order:
            organisers = [one for one in self.order if self.roles[one] == ORGANISER]
            self.roles[(organisers or self.order)[0]] = OWNER

    def admit(self, player_id: str) -> None:
        self.roles[player_id] = MEMBER
        self.order.append(player_id)


class Members(RuleBasedStateMachine):
    """Two clubs at most, and all that players do about who is in them."""

    url = ""
    number = 0

    def __init__(self) -> None:
        super().__init__()
        Members.number += 1
        self.runner = asyncio.Runner()
        self.place = Place(self.url.format(Members.number))
        self.clubs: list[Club] = []

    def teardown(self) -> None:
        self.place.close()
        self.runner.close()

    def club(self, which: int) -> Club | None:
        return self.clubs[which % len(self.clubs)] if self.clubs else None

    @rule(who=WHO, entry=ENTRIES)
    def create(self, who: Caller, entry: pb.Club.Entry.ValueType) -> None:
        if len(self.clubs) < 2:
            made = self.runner.run(self.place.create(who, entry=entry))
            self.clubs.append(Club(made, self.runner.run(self.place.link(made, who)), who))

    @rule(which=st.integers(0, 1), who=WHO, by_link=st.booleans())
    def join(self, which: int, who: Caller, by_link: bool) -> None:
        if (club := self.club(which)) is None:
            return
        role = club.roles.get(who.player_id, NONE)
        may = role in INSIDE or (role != REMOVED and (by_link or club.entry != LINK or role == ASKING))
        if not self.succeeds(self.place.join(club.made, who, club.code if by_link else "")):
            assert not may
            return
        assert may
        if role not in INSIDE:
            if by_link or club.entry == OPEN:
                club.admit(who.player_id)
            else:
                club.roles[who.player_id] = ASKING

    @rule(which=st.integers(0, 1), who=WHO)
    def leave(self, which: int, who: Caller) -> None:
        if (club := self.club(which)) is None:
            return
        self.runner.run(self.place.leave(club.made, who))
        if club.roles.get(who.player_id) in INSIDE:
            club.leave(who.player_id)
        elif club.roles.get(who.player_id) == ASKING:
            del club.roles[who.player_id]
        self.forget_empty()

    @rule(which=st.integers(0, 1), caller=WHO, whom=WHO, role=st.sampled_from([NONE, ASKING, MEMBER, ORGANISER, OWNER, REMOVED]))
    def give(self, which: int, caller: Caller, whom: Caller, role: pb.Club.Role.ValueType) -> None:
        if (club := self.club(which)) is None:
            return
        own, former = club.roles.get(caller.player_id, NONE), club.roles.get(whom.player_id, NONE)
        same = own in INSIDE and former == role
        may = same or (
            own in INSIDE
            and former != NONE
            and (former in INSIDE or own in ORGANISERS)
            and not objection(own, former, role, is_own=caller is whom)
        )
        assert self.succeeds(self.place.give(club.made, caller, whom, role)) == may
        if not may or same:
            return
        if role in (NONE, REMOVED):
            if former in INSIDE:
                club.order.remove(whom.player_id)
            del club.roles[whom.player_id]
            if role == REMOVED:
                club.roles[whom.player_id] = REMOVED
        elif former == ASKING:
            club.admit(whom.player_id)
        else:
            if role == OWNER:
                club.roles[caller.player_id] = ORGANISER
            club.roles[whom.player_id] = role

    @rule(which=st.integers(0, 1), who=WHO, entry=ENTRIES)
    def change(self, which: int, who: Caller, entry: pb.Club.Entry.ValueType) -> None:
        if (club := self.club(which)) is None:
            return
        request = pb.ChangeClubRequest(club_id=club.made.club_id, name="Monday club", entry=entry)
        may = club.roles.get(who.player_id) in ORGANISERS
        assert self.succeeds(self.place.ask("change_club", who, request)) == may
        club.entry = entry if may else club.entry

    @rule(who=WHO)
    def forget(self, who: Caller) -> None:
        """Remove everything of a player, as the deletion of an account does, without voiding the tokens."""
        self.runner.run(self.place.store.run(lambda connection: whole_account.remove(connection, who.player_id, 0)))
        for club in self.clubs:
            if club.roles.get(who.player_id) in INSIDE:
                club.leave(who.player_id)
            club.roles.pop(who.player_id, None)
        self.forget_empty()

    @invariant()
    def everybody_has_the_role_that_they_should(self) -> None:
        for club in self.clubs:
            owner = next(one for one in PLAYERS if club.roles.get(one.player_id) == OWNER)
            seen = self.runner.run(self.place.get(club.made, owner))
            assert {one.player.player_id: one.role for one in seen.members} == club.roles
            assert [one.role for one in seen.members].count(OWNER) == 1
            assert seen.club.members == len(club.order)

    def forget_empty(self) -> None:
        self.clubs = [club for club in self.clubs if club.order]

    def succeeds(self, call: Coroutine[Any, Any, object]) -> bool:
        try:
            self.runner.run(call)
        except Refused:
            return False
        return True


def test_each_club_has_one_owner_and_everybody_the_role_that_follows(tmp_path: Path):
    Members.url = f"sqlite:///{tmp_path}/players{{}}.sqlite3"
    steps = settings(max_examples=examples(40), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Members, settings=steps)
