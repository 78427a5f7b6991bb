"""Clubs as programs found them, for pages that show them."""

import json

from playwright.sync_api import Page

from brettwerk.v1 import clubs_pb2, play_pb2
from brettwerk_client import Client, me, nobody


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
