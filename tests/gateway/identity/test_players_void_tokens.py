"""Void API tokens stay void, however many there are."""

from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import players_pb2
from gateway.identity import players
from gateway.identity.players import Revocations, VoidTokens


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20))))
def test_it_holds_what_a_set_would(steps: list[tuple[bool, int]]) -> None:
    void, expected = VoidTokens(), set()
    for is_added, number in steps:
        token = f"token-{number}"
        if is_added:
            void.add(token)
            expected.add(token)
        else:
            void.discard(token)
            expected.discard(token)
        assert len(void) == len(expected)
        assert [one for one in (f"token-{each}" for each in range(21)) if one in void] == [
            one for one in (f"token-{each}" for each in range(21)) if one in expected
        ]


def test_a_void_token_is_not_forgotten_when_many_others_change(monkeypatch) -> None:
    monkeypatch.setattr(players, "REMEMBERED", 10)
    changes = Revocations()
    cut_off: list[str] = []
    changes.on_void = cut_off.append
    changes.note(players_pb2.TokenChange(token_id="revoked", is_void=True))
    changes.note(players_pb2.TokenChange(token_id="revoked", is_void=True))
    for number in range(100):
        changes.note(players_pb2.TokenChange(token_id=str(number), name=f"Bot {number}"))
        changes.note(players_pb2.TokenChange(token_id=f"void-{number}", is_void=True))
    assert changes.is_void("revoked")
    assert cut_off.count("revoked") == 1
    assert (changes.name_of("99"), changes.name_of("1")) == ("Bot 99", "")


def test_a_bot_that_is_no_longer_suspended_has_its_tokens_again() -> None:
    changes = Revocations()
    changes.note(players_pb2.TokenChange(token_id="bots", is_void=True))
    changes.note(players_pb2.TokenChange(token_id="bots", name="Bot"))
    assert not changes.is_void("bots")
