"""Tokens prove a player; names can be shown."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.identity.players import UNNAMED, Players, bearer
from services.runtime import limits
from services.runtime.player_names import check_name
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused
from tests.gateway.refusing import refusal_of

KEY = bytes(range(32))
NOW = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def make(players: Players, name: str = "Ada", request_id: str = "", address: str = "192.0.2.1") -> play_pb2.CreatePlayerResponse:
    return players.create(play_pb2.CreatePlayerRequest(name=name, request_id=request_id), address)


def clean(name: str) -> str:
    return clean_text(name, "name", NAME_BYTES)


names = st.text(min_size=1, max_size=12).filter(lambda name: refusal_of(lambda: check_name(clean(name))) is None)


@given(names)
def test_a_token_proves_the_id_and_the_name_it_was_made_for(name: str) -> None:
    players = Players(KEY, 365)
    made = make(players, name)
    limits.check(made)
    player = players.recognise(made.player_token)
    assert (player.id, player.name) == (made.player_id, clean(name))


@given(st.data())
def test_no_changed_token_is_good(data: st.DataObject) -> None:
    players = Players(KEY, 365)
    token = make(players).player_token
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters().filter(lambda character: character != token[place]))
    changed = token[:place] + other + token[place + 1 :]
    with pytest.raises(Refused) as refused:
        players.recognise(changed)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


@given(st.text(max_size=600) | st.binary(max_size=200).map(lambda data: "bwp1." + base64.urlsafe_b64encode(data).decode()))
def test_made_up_text_is_not_a_token(text: str) -> None:
    with pytest.raises(Refused) as refused:
        Players(KEY, 365).recognise(text)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
    assert len(text) < 30 or text not in refused.value.refusal.message


def test_a_token_of_another_key_is_not_good() -> None:
    with pytest.raises(Refused) as refused:
        Players(KEY, 365).recognise(make(Players(KEY[::-1], 365)).player_token)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


def test_a_token_expires_when_its_days_are_over_and_not_before() -> None:
    clock = Clock()
    players = Players(KEY, 30, clock)
    token = make(players).player_token
    clock.now = NOW + 30 * 86400
    assert players.recognise(token).name == "Ada"
    clock.now = NOW + 31 * 86400
    with pytest.raises(Refused) as refused:
        players.recognise(token)
    assert "expired" in refused.value.refusal.message


def test_a_repeat_gives_the_first_answer() -> None:
    clock = Clock()
    first = make(Players(KEY, 365, clock), request_id="12345678")
    clock.now += 5
    assert make(Players(KEY, 365, clock), request_id="12345678") == first


def test_another_request_name_or_address_makes_another_player() -> None:
    players = Players(KEY, 365)
    made = [
        make(players, request_id="12345678"),
        make(players, request_id="12345679"),
        make(players, request_id="12345678", name="Bob"),
        make(players, request_id="12345678", address="192.0.2.2"),
        make(players),
        make(players),
    ]
    assert len({one.player_id for one in made}) == len(made)


@given(names, names)
def test_another_name_makes_the_same_player_and_both_tokens_are_good(name: str, other: str) -> None:
    players = Players(KEY, 365)
    made = make(players, name)
    before = players.recognise(made.player_token)
    renamed = players.rename(play_pb2.RenamePlayerRequest(name=other), before)
    limits.check(renamed)
    after = players.recognise(renamed.player_token)
    assert (after.id, after.name) == (made.player_id, clean(other)) == (renamed.player_id, renamed.name)
    assert players.recognise(made.player_token) == before


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 41])
def test_a_player_cannot_take_a_name_that_cannot_be_shown(name: str) -> None:
    players = Players(KEY, 365)
    player = players.recognise(make(players).player_token)
    with pytest.raises(Refused) as refused:
        players.rename(play_pb2.RenamePlayerRequest(name=name), player)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "name")


def test_the_names_of_computers_are_reserved():
    players = Players(KEY, 365)
    player = players.recognise(make(players).player_token)
    for refused in (lambda: make(players, "Carla"), lambda: players.rename(play_pb2.RenamePlayerRequest(name="Carla"), player)):
        refusal = refusal_of(refused)
        assert refusal is not None
        assert refusal.reason == errors_pb2.REASON_NAME_RESERVED


def test_a_player_who_was_called_so_before_keeps_the_name():
    players = Players(KEY, 365)
    token = players.token_of(make(players).player_id, "Carla", 0)
    player = players.recognise(token)
    assert player.name == "Carla"
    assert players.rename(play_pb2.RenamePlayerRequest(name="Carla"), player).name == "Carla"


def test_renaming_needs_a_player() -> None:
    with pytest.raises(Refused) as refused:
        Players(KEY, 365).rename(play_pb2.RenamePlayerRequest(name="Ada"), None)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


@pytest.mark.parametrize("request_id", ["1234567", "x" * 65, "ü" * 33])
def test_a_request_id_that_is_too_short_or_too_long_is_refused(request_id: str) -> None:
    with pytest.raises(Refused) as refused:
        make(Players(KEY, 365), request_id=request_id)
    assert refused.value.refusal.field == "request_id"


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer  ", "Basic abc", "abc"])
def test_an_authorization_that_is_no_bearer_token_is_refused(authorization: str) -> None:
    with pytest.raises(Refused) as refused:
        bearer(authorization)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


def test_a_bearer_token_is_found_however_its_scheme_is_written() -> None:
    assert bearer("bearer  abc ") == bearer("Bearer abc") == "abc"


@pytest.mark.parametrize(
    ("name", "shown"), [("Ada\u202e", "Ada"), ("\u3164", UNNAMED), ("e" + "\u0301\u0323\u0330\u0331", "\u1eb9\u0330\u0331")]
)
def test_a_token_with_a_name_of_before_the_rules_is_good_and_its_name_is_shown_without_what_deceives(
    name: str, shown: str
) -> None:
    players = Players(KEY, 365)
    assert players.recognise(players.token_of("a" * 26, name, 0)).name == shown
