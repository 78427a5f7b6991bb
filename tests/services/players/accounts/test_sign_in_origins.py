"""The origins of the pages that players sign in at."""

import pytest

from services.players.accounts.sign_in_origins import OwnOrigins
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
    ("written", "of_browsers"),
    [
        ("https://Spiel.Müller.example/", "https://spiel.xn--mller-kva.example"),
        ("https://straße.example", "https://xn--strae-oqa.example"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://localhost:80", "http://localhost"),
        ("https://[2001:DB8:0::1]:8443", "https://[2001:db8::1]:8443"),
        ("https://my_box:8000", "https://my_box:8000"),
    ],
)
def test_an_origin_may_be_written_otherwise_than_by_browsers(written: str, of_browsers: str):
    assert OwnOrigins(written).lists(of_browsers)


def test_an_internationalised_name_has_passkeys_and_so_has_its_domain():
    own = OwnOrigins("https://spiel.müller.example", "Müller.example")
    assert own.passkey_domain("https://spiel.xn--mller-kva.example") == "xn--mller-kva.example"


def test_passkeys_need_tls_but_for_localhost():
    own = OwnOrigins("http://play.example.org,http://localhost:8000,http://games.localhost:8000")
    assert own.lists("http://play.example.org")
    assert not own.has_passkeys("http://play.example.org")
    assert own.has_passkeys("http://localhost:8000")
    assert own.has_passkeys("http://games.localhost:8000")


def test_origins_that_cannot_have_passkeys_for_want_of_tls_are_said_once(capsys: pytest.CaptureFixture[str]):
    OwnOrigins("http://play.example.org,http://127.0.0.1:8000,http://localhost,https://example.org").warn()
    said = capsys.readouterr().out
    assert said.count("cannot have passkeys") == 1
    assert "http://play.example.org" in said


@pytest.mark.parametrize(
    "listed",
    [
        "https://play.example.org:99999",
        "https://[::1",
        "https://[nonsense]",
        "https://a..müller.example",
        "https://:80",
        "play.example.org",
        "https://play.example.org/page",
        "ftp://example.org",
        "*",
        "https://*.example.org",
    ],
)
def test_an_invalid_origin_is_refused_at_the_start(listed: str):
    with pytest.raises(ValueError, match="SIGN_IN_ORIGINS"):
        OwnOrigins(listed)


def test_a_domain_that_no_origin_belongs_to_is_refused_at_the_start():
    with pytest.raises(ValueError, match="PASSKEY_DOMAIN"):
        OwnOrigins("https://notexample.org", "example.org")
