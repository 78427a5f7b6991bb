"""The meaning of the URL of a Redis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.redis_address import Kind, RedisAddress

names = st.text("abcdefghijk0123456789.-", min_size=1, max_size=12)
hosts = st.lists(st.tuples(names, st.integers(1, 65535)), min_size=1, max_size=4)


@given(hosts, names, st.integers(0, 15), st.booleans())
def test_a_sentinel_url_has_the_hosts_of_sentinels_and_the_name_they_watch(hosts, name, database, is_encrypted):
    scheme = "rediss+sentinel" if is_encrypted else "sentinel"
    found = RedisAddress.of(f"{scheme}://" + ",".join(f"{host}:{port}" for host, port in hosts) + f"/{name}/{database}")
    assert (found.kind, list(found.hosts), found.name, found.database) == (Kind.SENTINELS, hosts, name, database)
    assert found.is_encrypted == is_encrypted


@given(hosts, st.booleans())
def test_a_clusters_url_says_where_some_of_its_nodes_are(hosts, is_encrypted):
    scheme = "rediss+cluster" if is_encrypted else "redis+cluster"
    found = RedisAddress.of(f"{scheme}://" + ",".join(f"{host}:{port}" for host, port in hosts))
    assert (found.kind, list(found.hosts), found.is_encrypted) == (Kind.CLUSTER, hosts, is_encrypted)


def test_passwords_with_special_characters_come_through_and_sentinels_may_have_their_own():
    found = RedisAddress.of("sentinel://me:p%40ss%2Fword@a,[::1]:2/brettwerk?sentinel_password=a%26b&ssl_check_hostname=false")
    assert (found.user, found.password, found.database) == ("me", "p@ss/word", 0)
    assert found.hosts == (("a", 26379), ("::1", 2))
    assert (dict(found.guards), dict(found.query)) == ({"password": "a&b"}, {"ssl_check_hostname": "false"})
    assert "word" not in repr(found)


@pytest.mark.parametrize("url", ["redis://a:1/0", "rediss://a", "unix:///tmp/redis.sock"])
def test_of_one_server_only_its_kind_is_read(url):
    found = RedisAddress.of(url)
    assert (found.kind, found.url, found.is_encrypted) == (Kind.SERVER, url, url.startswith("rediss"))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        *(
            (url, "a Sentinel URL is")
            for url in ("sentinel://", "sentinel://host", "sentinel://host:1/", "sentinel://host/name/x")
        ),
        *((url, "a Redis Cluster's URL is") for url in ("redis+cluster://", "redis+cluster://a/0", "rediss+cluster://a:x")),
        *((url, "begins with redis://") for url in ("", "a:1", "http://a", "redis:a")),
    ],
)
def test_an_unknown_address_is_refused_with_the_shape_that_it_should_have(url, said):
    with pytest.raises(ValueError, match=said):
        RedisAddress.of(url)
