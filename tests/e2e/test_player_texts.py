"""Texts of players, in a whole deployment: nothing that deceives becomes a name, a title or talk, wherever it is written."""

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from brettwerk.v1 import accounts_pb2, bots_pb2, errors_pb2, play_pb2, profiles_pb2, talk_pb2, tournaments_pb2
from deploy.local.deployment import Deployment
from services.runtime.refusal import of_rpc_error
from tests.e2e.stranger import Stranger, computer, me, new_id, nobody, taken
from tests.e2e.test_tournaments import CLOCK

pytestmark = pytest.mark.e2e
DECEIVING = {
    "a filler": "\u3164",
    "marks alone": "\u0301\u0302",
    "an override": "Ada\u202eadA",
    "piled marks": "e\u0323\u0330\u0301\u0302",
}
LETTERS = "Ada \u0915\u094d\u200d\u0937"  # with a joiner that has its place


@pytest.fixture(scope="module")
def ada(deployment: Deployment) -> Iterator[Stranger]:
    """A player with an account, who may own bots and tokens."""
    one = Stranger(deployment.grpc_address, "Ada")
    one.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=one.metadata, timeout=20)
    yield one
    one.close()


def save(ada: Stranger, text: str) -> Any:
    session, seats = taken(lambda: ada.create(me(), computer()))
    request = play_pb2.SaveSessionRequest(session_id=session.id, seat_token=seats[0], name=text)
    return taken(lambda: ada.stub.SaveSession(request, metadata=ada.metadata, timeout=20))


def say(ada: Stranger, text: str) -> Any:
    session, seats = taken(lambda: ada.create(me(), nobody()))
    request = talk_pb2.SayRequest(session_id=session.id, seat_token=seats[0], text=text, request_id=new_id())
    return taken(lambda: ada.stub.Say(request, metadata=ada.metadata, timeout=20))


def asking(method: str, make: Callable[[str], Any]) -> Callable[[Stranger, str], Any]:
    return lambda ada, text: taken(lambda: getattr(ada.stub, method)(make(text), metadata=ada.metadata, timeout=20))


ROUND_ROBIN = tournaments_pb2.Tournament.KIND_ROUND_ROBIN
WRITING: dict[str, tuple[str, Callable[[Stranger, str], Any]]] = {
    "a player": ("name", asking("CreatePlayer", lambda text: play_pb2.CreatePlayerRequest(name=text))),
    "another name": ("name", asking("RenamePlayer", lambda text: play_pb2.RenamePlayerRequest(name=text))),
    "a bot": ("name", asking("CreateBot", lambda text: bots_pb2.CreateBotRequest(name=text, request_id=new_id()))),
    "a token": (
        "label",
        asking(
            "CreateApiToken",
            lambda text: bots_pb2.CreateApiTokenRequest(label=text, scopes=[bots_pb2.SCOPE_PLAY], request_id=new_id()),
        ),
    ),
    "a tournament": (
        "name",
        asking(
            "CreateTournament",
            lambda text: tournaments_pb2.CreateTournamentRequest(
                name=text, game="einstein", clock=CLOCK, kind=ROUND_ROBIN, request_id=new_id()
            ),
        ),
    ),
    "a table": ("title", lambda ada, text: taken(lambda: ada.create(me(), computer(), title=text))),
    "a saved game": ("name", save),
    "talk": ("text", say),
}


@pytest.mark.parametrize(("field", "write"), WRITING.values(), ids=WRITING)
def test_deceptive_text_is_refused_wherever_it_is_written(
    ada: Stranger, field: str, write: Callable[[Stranger, str], Any]
) -> None:
    for text in DECEIVING.values():
        with pytest.raises(grpc.RpcError) as caught:
            write(ada, text)
        refusal = of_rpc_error(caught.value, "gateway").refusal
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, field)
    write(ada, LETTERS)


@pytest.mark.parametrize(("field", "write"), [WRITING["a table"], WRITING["a saved game"], WRITING["a tournament"]])
def test_titles_are_of_one_line(ada: Stranger, field: str, write: Callable[[Stranger, str], Any]) -> None:
    for text in ("one\r\ntwo", "one\u2028two"):
        with pytest.raises(grpc.RpcError) as caught:
            write(ada, text)
        assert of_rpc_error(caught.value, "gateway").refusal.field == field


def test_the_title_in_a_file_is_shown_without_deceptive_characters(ada: Stranger) -> None:
    session, seats = taken(lambda: ada.create(me(), computer(), title="Friday"))
    resign = play_pb2.ResignRequest(session_id=session.id, seat_token=seats[0], request_id=new_id())
    ada.stub.Resign(resign, metadata=ada.metadata, timeout=20)
    record = taken(lambda: ada.record(session.id))
    record.entries[0].created.title = "Fri\u202eday\r\nnight"
    fork = play_pb2.ImportSessionRequest(record=record, seats=[me(), computer()], request_id=new_id())
    imported = taken(lambda: ada.stub.ImportSession(fork, metadata=ada.metadata, timeout=20))
    assert imported.session.title == "Friday night"


def test_a_guest_who_looks_like_an_account_is_told_from_it(deployment: Deployment) -> None:
    name = f"Ada{secrets.token_hex(4)}"  # others have accounts by the name of Ada
    account = Stranger(deployment.grpc_address, name)
    account.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=account.metadata, timeout=20)
    alike = name.replace("A", "\u0410", 1)  # with a Cyrillic capital
    guest = Stranger(deployment.grpc_address, alike)
    named = [profiles_pb2.NamedPlayer(player_id=who.player_id, name=said) for who, said in ((account, name), (guest, alike))]
    found = guest.stub.FindLookalikes(profiles_pb2.FindLookalikesRequest(players=named), timeout=20).lookalikes
    assert [one.player.player_id for one in found] == [guest.player_id]
    assert found[0].account.name == name
    account.close()
    guest.close()
