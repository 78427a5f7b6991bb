"""The gateway finds the shard in a session id as the session service puts it there."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.calls.shards import SHARDS, metadata_of, shard_of
from services.runtime.link.routing import shard_in
from services.session.domain import bounds, ids


@given(st.binary(min_size=1, max_size=8), st.text(max_size=8))
def test_the_shard_of_a_session_is_read_from_its_id(key: bytes, part: str) -> None:
    session = ids.checked(ids.derived_id(key, part))
    assert shard_of(session) == ids.shard_of(session)
    metadata = metadata_of(session)
    assert metadata is not None
    assert shard_in(metadata) == ids.shard_of(session)


def test_there_are_as_many_shards_as_the_session_service_has() -> None:
    assert SHARDS == bounds.SHARDS
    assert {shard_of(ids.new_id()) for _ in range(2000)} == set(range(SHARDS))


@given(st.text(max_size=30))
def test_what_is_no_session_id_is_in_no_shard_that_there_is_not(text: str) -> None:
    assert shard_of(text) in (None, *range(SHARDS))
    assert (shard_of(text) is None) == (metadata_of(text) is None)
    for wrong in ("", "5", "05", "10" + "a" * 22, "0g" + "a" * 22, "05" + "a" * 21, "05" + "a" * 23, "-1" + "a" * 22):
        assert shard_of(wrong) is None
