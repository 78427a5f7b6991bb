"""How large what a client gets of a Weaponized Chess game is, whole and without what it can do without."""

import gzip
import json
import urllib.request
from pathlib import Path

import pytest

from brettwerk.v1 import play_pb2
from brettwerk.v1.sessions_pb2 import Update
from brettwerk_client import Client, Seat, me
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "protocol.md").read_text().split())
STATUS_ONLY = [Update.FIELD_VIEW, Update.FIELD_ACTIONS, Update.FIELD_EVENTS, Update.FIELD_OPTIONS]


@pytest.fixture(scope="module")
def seat(deployment: Deployment) -> Seat:
    """White in a game that has begun; Black is the same player. With its title, the state alone is worth compressing."""
    client = Client(deployment.grpc_address, name="Ada")
    table = client.create_session("wec", [me(), me()], title="A game whose title says more than most")
    update = table.seats[0].update()
    table.seats[0].act(update, update.actions[0])
    return next(seat for seat in table.seats if seat.update().actions)


def over_http(deployment: Deployment, request: play_pb2.GetSessionRequest, form: str) -> bytes:
    """Return the answer to GetSession as it comes: json, or proto; `+gzip` compressed."""
    form, _, encoding = form.partition("+")
    body = (
        request.SerializeToString()
        if form == "proto"
        else json.dumps(
            {
                "sessionId": request.session_id,
                "seatToken": request.seat_token,
                "leaveOut": [Update.Field.Name(part) for part in request.leave_out],
            }
        ).encode()
    )
    asked = urllib.request.Request(
        f"http://{deployment.web_address}/brettwerk.v1.PlayService/GetSession",
        body,
        {"content-type": f"application/{form}", "accept-encoding": encoding or "identity"},
    )
    with urllib.request.urlopen(asked, timeout=60) as response:
        found: bytes = response.read()
        # A short body is not worth it.
        is_gzipped = encoding == "gzip" and (found.startswith(b"\x1f\x8b") or len(found) >= 1000)
        assert response.headers.get("content-encoding", "") == ("gzip" if is_gzipped else "")
    return found


def plain(body: bytes) -> bytes:
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body


def test_the_sizes_are_those_of_the_documentation(deployment: Deployment, seat: Seat) -> None:
    sizes = {}
    for name, parts in (("all of it", []), ("no `FIELD_ACTIONS`", [Update.FIELD_ACTIONS]), ("the state alone", STATUS_ONLY)):
        request = play_pb2.GetSessionRequest(session_id=seat.session_id, seat_token=seat.token, leave_out=parts)
        forms = {form: over_http(deployment, request, form) for form in ("json", "json+gzip", "proto", "proto+gzip")}
        assert json.loads(forms["json"]) == json.loads(plain(forms["json+gzip"]))
        whole = play_pb2.GetSessionResponse.FromString(forms["proto"])
        assert whole == play_pb2.GetSessionResponse.FromString(plain(forms["proto+gzip"]))
        sizes[name] = [len(body) / 1000 for body in forms.values()]
        assert (bool(whole.update.view.value), bool(whole.update.actions)) == (not parts or parts == [2], not parts)
    print(sizes)
    for name, found in sizes.items():
        row = next(line for line in PAGE.split("| ") if line.strip() == name)
        stated = [float(cell) for cell in PAGE.split(f"| {row}", 1)[1].split("|")[1:5]]
        for size, said in zip(found, stated, strict=True):
            assert said * 0.8 < size < said * 1.2 + 0.2, (name, sizes)


def test_a_watch_leaves_out_the_same_and_goes_on(deployment: Deployment, seat: Seat) -> None:
    whole, smaller = seat.update(), seat.update(leave_out=STATUS_ONLY)
    watched = next(iter(seat.watch(leave_out=STATUS_ONLY)))
    assert watched == smaller
    assert (smaller.version, smaller.session.state, smaller.to_act) == (whole.version, whole.session.state, whole.to_act)
    assert smaller.ByteSize() < whole.ByteSize() / 10
    assert not smaller.happening.events
    assert next(iter(seat.watch(leave_out=[Update.FIELD_ACTIONS]))) == seat.update(leave_out=[Update.FIELD_ACTIONS])
    assert next(iter(seat.watch())) == whole
