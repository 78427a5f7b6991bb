"""Clubs as programs found them, for pages that show them."""

import contextlib
import json
import time
from collections.abc import Sequence

from playwright.sync_api import Page

from brettwerk.v1 import club_matches_pb2, clubs_pb2, play_pb2, record_pb2, tournaments_pb2
from brettwerk_client import Client, me, nobody, refusals


def found(client: Client, name: str, entry: clubs_pb2.Club.Entry.ValueType = clubs_pb2.Club.ENTRY_LINK, about: str = "") -> str:
    """Found a club; return its id."""
    request = clubs_pb2.CreateClubRequest(name=name, description=about, entry=entry)
    club_id: str = client.call(client.service.CreateClub, request).club.club_id
    return club_id


def link(client: Client, club_id: str) -> str:
    """Create a link to a club; return its code."""
    code: str = client.call(client.service.CreateClubLink, clubs_pb2.CreateClubLinkRequest(club_id=club_id)).link.code
    return code


def join(client: Client, club_id: str, code: str = "") -> None:
    """Join a club, or ask to."""
    client.call(client.service.JoinClub, clubs_pb2.JoinClubRequest(club_id=club_id, code=code))


def found_whole(client: Client, address: str) -> str:
    """Found a club with a table, a link, a second member, what both say, and a third player who asks to join; return its id."""
    about = "We play on Mondays from eight, with beginners and old hands."
    club_id = found(client, "Monday club", clubs_pb2.Club.ENTRY_REQUEST, about)
    seat = client.create_session("emperado", [me(), nobody(), nobody()]).seat
    client.call(client.service.AddClubTable, clubs_pb2.AddClubTableRequest(club_id=club_id, session_id=seat.session_id))
    with Client(address, name="Grace") as grace, Client(address, name="Linus") as linus:
        join(grace, club_id, link(client, club_id))
        join(linus, club_id)
        for one, text in ((client, "Who is in for EMPERADO tonight?"), (grace, "I am. Give me ten minutes.")):
            one.call(one.service.SayInClub, clubs_pb2.SayInClubRequest(club_id=club_id, text=text))
    return club_id


def sign_in(page: Page, client: Client, name: str) -> None:
    """Let a page be the client's player from the next address on; what it shows now may still keep a player of its own."""
    player = client.sign_in(play_pb2.CreatePlayerRequest(name=name))
    stored = json.dumps({"id": player.id, "token": player.token, "name": player.name})
    page.add_init_script(f"localStorage.setItem('brettwerk.player', {json.dumps(stored)})")


CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=5_000)
WAITS_S = (4, 15, 60)
"""How long a match that is begun waits for its players to enter, the longer the busier the machine is."""


def challenge(client: Client, own: str, other: str, starts_in_s: int = 86_400) -> str:
    """Challenge a club; return the id of the match."""
    request = club_matches_pb2.ChallengeClubRequest(club_id=own, other_club_id=other, game="einstein", clock=CLOCK)
    request.starts_at_ms = int((time.time() + starts_in_s) * 1000)
    match_id: str = client.call(client.service.ChallengeClub, request).match.tournament_id
    return match_id


def accept(client: Client, match_id: str) -> None:
    """Accept a challenge."""
    request = club_matches_pb2.AnswerClubMatchRequest(tournament_id=match_id, accept=True)
    client.call(client.service.AnswerClubMatch, request)


def enter(client: Client, match_id: str, club_id: str) -> None:
    """Enter for a match."""
    client.call(client.service.EnterClubMatch, club_matches_pb2.EnterClubMatchRequest(tournament_id=match_id, club_id=club_id))


def pairings(client: Client, match_id: str) -> Sequence[tournaments_pb2.Pairing]:
    """Return the boards of a match."""
    found = client.call(client.service.GetTournament, tournaments_pb2.GetTournamentRequest(tournament_id=match_id))
    return [*found.pairings]


def match_begun(home: Sequence[Client], guests: Sequence[Client], names: tuple[str, str]) -> str:
    """Return the id of a match that has begun between two new clubs, which the first of the players of each one founds."""
    clubs = [found(players[0], name) for players, name in zip((home, guests), names, strict=True)]
    for club_id, players in zip(clubs, (home, guests), strict=True):
        code = link(players[0], club_id)
        for one in players[1:]:
            join(one, club_id, code)
    for wait_s in WAITS_S:
        match_id = challenge(home[0], clubs[0], clubs[1], wait_s)
        with contextlib.suppress(refusals.Refused):
            accept(guests[0], match_id)
            for club_id, players in zip(clubs, (home, guests), strict=True):
                for one in players:
                    enter(one, match_id, club_id)
            until = time.monotonic() + wait_s + 60
            while time.monotonic() < until:
                if all(each.session_id for each in pairings(home[0], match_id) or [tournaments_pb2.Pairing()]):
                    return match_id
                time.sleep(0.2)
    raise AssertionError("the players did not enter in time")


def match_shown(client: Client, address: str) -> str:
    """Return the id of a match of four boards, of which two are decided."""
    names = ("Grace", "Linus", "Hedy", "Alan", "Emmy", "Kurt", "Rosa")
    with contextlib.ExitStack() as there:
        others = [there.enter_context(Client(address, name=name)) for name in names]
        match_id = match_begun([client, *others[:3]], others[3:], ("Monday club", "Old town board games"))
        for board, (one, other) in enumerate(zip([client, *others[:3]], others[3:], strict=True)):
            session_id = pairings(client, match_id)[board].session_id
            if board in (1, 2):
                seats = [each.join_session(session_id) for each in (one, other)]
                seats[board % 2].resign()
        until = time.monotonic() + 60
        while sum(each.decided for each in pairings(client, match_id)) < 2 and time.monotonic() < until:
            time.sleep(0.2)
        return match_id
