"""The origins of the pages that players sign in at."""

import pytest

from services.players.accounts.own_origins import OwnOrigins
from services.runtime.refusal import Refused


def test_passkeys_are_for_the_host_of_a_listed_origin():
    own = OwnOrigins("https://play.example.org, http://localhost:8000")
    assert own.passkey_domain("https://play.example.org") == "play.example.org"
    assert own.passkey_domain("http://localhost:8000") == "localhost"
    for other in ("https://play.example.org:444", "http://play.example.org", "https://example.org", "null", ""):
        assert not own.has_passkeys(other)
        with pytest.raises(Refused):
            own.passkey_domain(other)


def test_addresses_have_no_passkeys_but_players_sign_in_there():
    own = OwnOrigins("http://127.0.0.1:8000,http://[::1]:8000")
    for origin in ("http://127.0.0.1:8000", "http://[::1]:8000"):
        assert own.lists(origin)
        assert not own.has_passkeys(origin)
        with pytest.raises(Refused):
            own.passkey_domain(origin)


def test_origins_of_one_domain_share_their_passkeys_and_others_have_none():
    own = OwnOrigins("https://play.example.org,https://example.org,https://elsewhere.example", "example.org")
    assert own.passkey_domain("https://play.example.org") == own.passkey_domain("https://example.org") == "example.org"
    assert not own.has_passkeys("https://elsewhere.example")


@pytest.mark.parametrize(
    "listed", ["play.example.org", "https://play.example.org/page", "ftp://example.org", "*", "https://*.example.org"]
)
def test_what_is_no_origin_is_refused_at_the_start(listed: str):
    with pytest.raises(ValueError, match="SIGN_IN_ORIGINS"):
        OwnOrigins(listed)


def test_a_domain_that_no_origin_belongs_to_is_refused_at_the_start():
    with pytest.raises(ValueError, match="PASSKEY_DOMAIN"):
        OwnOrigins("https://notexample.org", "example.org")
