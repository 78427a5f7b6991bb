"""The shard of a session is read from its id, by the gateway as by the session service."""

from hypothesis import given
from hypothesis import strategies as st

from services.session.domain import ids
from services.sharding.shards import SHARDS, shard_if_any, shard_of


@given(st.binary(min_size=1, max_size=8), st.text(max_size=8))
def test_the_shard_of_a_session_is_read_from_its_id(key: bytes, part: str) -> None:
    session = ids.checked(ids.derived_id(key, part))
    assert shard_if_any(session) == shard_of(session) == int(session[:2], 16)


def test_new_sessions_are_spread_over_all_shards() -> None:
    assert {shard_of(ids.derived_id(b"any", str(number))) for number in range(2000)} == set(range(SHARDS))


@given(st.text(max_size=30))
def test_a_text_that_is_no_session_id_has_no_shard(text: str) -> None:
    assert shard_if_any(text) in (None, *range(SHARDS))
    for wrong in ("", "5", "05", "10" + "a" * 22, "0g" + "a" * 22, "05" + "a" * 21, "05" + "a" * 23, "-1" + "a" * 22):
        assert shard_if_any(wrong) is None
