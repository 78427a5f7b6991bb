"""News on their way to mail addresses: by a real mail server, with a password and STARTTLS."""

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from services.players.news.backlog import MAX_REFUSALS
from services.players.news.tables import MAILBOXES, PREFERENCES
from services.players.notifications.mail_server import MailServer as Server
from services.players.notifications.mail_server import is_address
from services.players.notifications.mail_texts import SHOWN
from services.runtime.settings import Settings
from tests.mail_server import MailServer
from tests.services.players.notifications.place import (
    ADA,
    ADDRESS,
    BOB,
    HOUR,
    INVITED,
    MINUTE,
    NOON,
    OVER,
    TAKEN,
    Place,
)


def text(mail: object, kind: str = "plain") -> str:
    body = mail.get_body((kind,))  # type: ignore[attr-defined]
    content: str = body.get_content()
    return content.replace("\r\n", "\n")


async def test_one_mail_tells_of_all_tables_and_names_each_once(any_place: Place) -> None:
    await any_place.switch_mail_on()
    for session in ("07abc", "07abd", "07abc", "07abe"):
        await any_place.note(session, title="Friday night" if session == "07abc" else "")
    await any_place.pass_time(15 * MINUTE - 1)
    assert any_place.mails.mails == []
    await any_place.pass_time(1)
    (mail,) = any_place.mails.to(ADDRESS)
    assert mail["Subject"] == "News at 3 tables"
    assert mail["From"] == "Brettwerk <noreply@example.org>"
    body = text(mail)
    assert body.count("https://play.example.org/s/07abc") == 1
    assert "Friday night: It is your turn." in body
    assert "EinStein würfelt nicht: It is your turn." in body
    assert re.findall(r'href="https://play.example.org/s/(\w+)"', text(mail, "html")) == ["07abe", "07abc", "07abd"]
    await any_place.pass_time(2 * HOUR)
    assert len(any_place.mails.mails) == 1


async def test_a_mail_of_one_table_says_so_in_its_subject_and_is_written_in_the_players_language(place: Place) -> None:
    await place.switch_mail_on(language="de")
    await place.note("07abc", INVITED, title="Freitagabend")
    await place.pass_time(HOUR)
    (mail,) = place.mails.to(ADDRESS)
    assert mail["Subject"] == "Freitagabend: Ein Platz ist für dich reserviert."
    assert "Hallo " in text(mail)
    assert "Keine E-Mails mehr: https://play.example.org/unsubscribe/" in text(mail)
    assert '<html lang="de">' in text(mail, "html")


async def test_a_french_mail_is_french_in_its_numbers_times_and_signs(place: Place) -> None:
    await place.switch_mail_on(language="fr")
    await place.set(time_zone="Europe/Paris", language="fr")
    for number in range(SHOWN + 1):
        await place.note(f"07a{number:02}", INVITED, title=f"Vendredi {number}", until_ms=NOON + 30 * HOUR)
    await place.pass_time(HOUR)
    (mail,) = place.mails.to(ADDRESS)
    assert mail["Subject"] == f"Du nouveau à {SHOWN + 1} tables"
    said = text(mail)
    assert "Vendredi 20\u00a0: Une place vous est réservée. (temps jusqu’au " in said
    assert re.search(r"jusqu’au \d\d/\d\d/\d{4} à\u00a0\d\d:\d\d\)", said)
    assert "et 1 autre\n" in said
    assert '<html lang="fr">' in text(mail, "html")


async def test_somebody_whose_language_a_newer_release_has_stored_gets_english_mail(place: Place) -> None:
    await place.switch_mail_on()
    await place.set(language="fr")
    place.store.run_here(lambda connection: connection.execute(update(PREFERENCES).values(language="xx")))
    assert (await place.own()).settings.language == "en"
    await place.note("07abc", INVITED, title="Friday")
    await place.pass_time(HOUR)
    (mail,) = place.mails.to(ADDRESS)
    assert mail["Subject"] == "Friday: A seat is being kept for you."


async def test_a_mail_can_be_ended_by_the_mail_program(place: Place) -> None:
    await place.switch_mail_on()
    await place.note("07abc")
    await place.pass_time(HOUR)
    (mail,) = place.mails.to(ADDRESS)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://play\.example\.org/unsubscribe/[\w-]{22}>", mail["List-Unsubscribe"].strip())
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Message-ID"].endswith("@play.example.org>")


async def test_a_mail_says_by_when_to_move_in_the_players_time(place: Place) -> None:
    await place.switch_mail_on()
    await place.set(time_zone="Europe/Berlin", language="en")
    await place.note("07abd")
    await place.note("07abc", until_ms=NOON + 30 * HOUR)
    await place.pass_time(HOUR)
    local = datetime.fromtimestamp(NOON / 1000 + 31 * 3600, UTC).strftime("%Y-%m-%d %H:%M")
    lines = [line for line in text(place.mails.to(ADDRESS)[0]).splitlines() if "turn" in line]
    assert lines[0].endswith(f"(time until {local})")
    assert len(lines) == 2


async def test_of_very_many_tables_some_are_named_and_the_others_counted(place: Place) -> None:
    await place.switch_mail_on()
    for number in range(SHOWN + 3):
        await place.note(f"07a{number:02}")
    await place.pass_time(HOUR)
    (mail,) = place.mails.to(ADDRESS)
    assert text(mail).count("/s/") == SHOWN
    assert "and 3 more" in text(mail)


async def test_others_words_are_one_line_of_text_and_no_html(place: Place) -> None:
    await place.switch_mail_on()
    await place.note("07abc", title="<b>x</b>\r\nBcc: eve@example.org")
    await place.pass_time(HOUR)
    (mail,) = place.mails.mails
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("<b>x</b> Bcc: eve@example.org: ")
    assert "<b>" not in text(mail, "html")


async def test_a_player_who_has_moved_before_the_mail_goes_gets_none(any_place: Place) -> None:
    await any_place.switch_mail_on()
    version = await any_place.note("07abc")
    await any_place.pass_time(10 * MINUTE)
    await any_place.handle("07abc", version)
    await any_place.pass_time(HOUR)
    assert any_place.mails.mails == []


async def test_unwanted_kinds_of_news_are_not_mailed(place: Place) -> None:
    await place.switch_mail_on()
    await place.set(unmailed=[TAKEN], language="en")
    await place.note("07abc", TAKEN)
    await place.pass_time(HOUR)
    assert place.mails.mails == []
    await place.note("07abd", OVER)
    await place.pass_time(HOUR)
    assert [mail["Subject"] for mail in place.mails.mails] == ["EinStein würfelt nicht: The game is over."]


async def test_quiet_hours_end_with_one_mail(any_place: Place) -> None:
    await any_place.switch_mail_on()
    await any_place.set(quiet_from=12 * 60, quiet_until=18 * 60, language="en")
    for hour in range(6):
        await any_place.note(f"07ab{hour}")
        await any_place.pass_time(HOUR if hour < 5 else HOUR - MINUTE)
    assert any_place.mails.mails == []
    await any_place.pass_time(MINUTE)
    assert [mail["Subject"] for mail in any_place.mails.mails] == ["News at 6 tables"]


@pytest.mark.nightly
async def test_a_longer_wait_makes_fewer_mails(place: Place) -> None:
    await place.switch_mail_on()
    await place.set(mail_wait=360, language="en")
    for number in range(24):
        await place.note(f"07a{number:02}")
        await place.pass_time(HOUR, step=10 * MINUTE)
    assert 3 <= len(place.mails.mails) <= 4


async def test_a_mail_server_that_is_down_delays_a_mail_and_loses_none(any_place: Place) -> None:
    await any_place.switch_mail_on()
    any_place.mails.stop()
    await any_place.note("07abc")
    await any_place.pass_time(HOUR)
    own = await any_place.own()
    assert own.mail.failing_since_ms >= NOON
    await any_place.note("07abd")
    any_place.mails.start()
    await any_place.pass_time(3 * HOUR, step=10 * MINUTE)
    assert [mail["Subject"] for mail in any_place.mails.mails] == ["News at 2 tables"]
    assert (await any_place.own()).mail.failing_since_ms == 0


@pytest.mark.nightly
async def test_a_server_that_is_down_for_days_does_not_flood_when_it_is_back(place: Place) -> None:
    await place.switch_mail_on()
    place.mails.stop()
    for day in range(5):
        await place.note(f"07ab{day}")
        await place.pass_time(24 * HOUR, step=HOUR)
    place.mails.start()
    await place.note("07abz")
    await place.pass_time(5 * HOUR, step=10 * MINUTE)
    assert len(place.mails.mails) == 1


async def test_an_address_that_is_refused_for_good_gets_no_more_mail_and_the_player_sees_why(place: Place) -> None:
    await place.switch_mail_on()
    place.mails.refused[ADDRESS] = "550 No such user"
    await place.note("07abc")
    await place.pass_time(MAX_REFUSALS * 8 * HOUR, step=30 * MINUTE)
    assert (await place.own()).mail.is_refused
    place.mails.refused.clear()
    await place.note("07abd")
    await place.pass_time(24 * HOUR, step=HOUR)
    assert place.mails.mails == []
    await place.switch_mail_on()
    assert not (await place.own()).mail.is_refused
    await place.note("07abe")
    await place.pass_time(HOUR)
    assert len(place.mails.mails) == 1


@pytest.mark.parametrize("answer", ["451 greylisted, come back", "554 looks like spam"])
async def test_a_mail_that_is_refused_is_tried_again(place: Place, answer: str) -> None:
    await place.switch_mail_on()
    place.mails.refuses_data = answer
    await place.note("07abc")
    await place.pass_time(HOUR)
    place.mails.refuses_data = ""
    await place.pass_time(3 * HOUR, step=10 * MINUTE)
    assert len(place.mails.mails) == 1
    assert not (await place.own()).mail.is_refused


async def test_the_same_news_sent_again_have_the_same_message_id(place: Place) -> None:
    """A process that dies between the mail server's answer and noting it sends the mail again: mail programs show it once."""
    await place.switch_mail_on()
    await place.note("07abc")
    place.now_ms += HOUR
    (row,) = place.rows(MAILBOXES)
    await place.mail.deliver()
    # as if it had not been noted
    put_back = {"sent_version": row.sent_version, "due_at_ms": place.now_ms, "claimed_until_ms": 0}
    place.store.run_here(lambda connection: connection.execute(MAILBOXES.update().values(put_back)))
    place.now_ms += HOUR
    await place.mail.deliver()
    one, other = place.mails.mails
    assert one["Message-ID"] == other["Message-ID"]


@pytest.mark.nightly
async def test_a_week_of_a_slow_game_of_six_brings_as_many_pushes_and_mails_as_there_is_something_to_say(place: Place) -> None:
    """Three tables, a turn at each every six hours; quiet from 22 to 7. Ada makes each turn after two hours, by day only."""
    await place.switch_mail_on()
    phone = await place.add_device()
    await place.set(quiet_from=22 * 60, quiet_until=7 * 60, mail_wait=30, language="en")
    pushed = mailed = 0
    for step in range(7 * 4):  # at 12, 18, 0 and 6 o'clock
        hour = (12 + 6 * step) % 24
        versions = {session: await place.note(session) for session in ("07aaa", "07aab", "07aac")}
        await place.pass_time(2 * HOUR, step=10 * MINUTE)
        is_quiet = hour in (0, 6)
        if hour != 0:
            # at 6 they wait for 7 o'clock: each table once, with what was left of the night
            pushed += 3
            mailed += 1
        if not is_quiet:
            for session, version in versions.items():
                await place.handle(session, version)
        await place.pass_time(4 * HOUR, step=10 * MINUTE)
    assert len(place.endpoint.messages(phone)) == pushed == 63
    assert len(place.mails.mails) == mailed == 21


@pytest.mark.parametrize(
    ("given", "is_one"),
    [
        ("ada@example.org", True),
        ("ada.lovelace+games@mail.example.co.uk", True),
        ("ada", False),
        ("ada@localhost", False),
        ("ada@example.org\r\nBcc: eve@example.org", False),
        ("ada@example.org, eve@example.org", False),
        ("Ada <ada@example.org>", False),
        ("ada@@example.org", False),
        (".ada@example.org", False),
        ("a..b@example.org", False),
        ("ada@-example.org", False),
        ("ada@example..org", False),
        ("ädä@example.org", False),
        ("a" * 65 + "@example.org", False),
        ("", False),
    ],
)
def test_mail_addresses_are_told_from_other_texts(given: str, is_one: bool) -> None:
    assert is_address(given) is is_one


@pytest.mark.parametrize(
    ("listed", "security", "host", "port"),
    [
        ("mail.example.org", "starttls", "mail.example.org", 587),
        ("mail.example.org", "tls", "mail.example.org", 465),
        ("mail.example.org:2525", "none", "mail.example.org", 2525),
        ("[2001:db8::1]:25", "none", "2001:db8::1", 25),
        ("[2001:db8::1]", "starttls", "2001:db8::1", 587),
    ],
)
def test_where_the_mail_server_is(listed: str, security: str, host: str, port: int) -> None:
    server = Server.of(Settings.model_validate({"mail_server": listed, "mail_security": security, "mail_from": "a@example.org"}))
    assert server is not None
    assert (server.host, server.port) == (host, port)


@pytest.mark.parametrize("wrong", [{"mail_from": ""}, {"mail_from": "nobody"}, {"mail_server": "mail.example.org:smtp"}])
def test_settings_that_cannot_be_are_said_at_the_start(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_MAIL_"):
        Server.of(Settings.model_validate({"mail_server": "mail.example.org", "mail_from": "a@example.org", **wrong}))


@pytest.mark.nightly
async def test_a_server_with_a_wrong_password_or_an_unknown_certificate_takes_nothing(
    place: Place, mail_server: MailServer
) -> None:
    await place.switch_mail_on()
    await place.note("07abc", caller=BOB)
    server = place.mail.server
    mail_server.mails.clear()
    for wrong in ({"password": "another"}, {"trusted": None}):
        fields = {name: getattr(server, name) for name in server.__dataclass_fields__} | wrong
        place.mail.server = Server(**fields)
        await place.note(f"07ab{len(wrong)}", caller=ADA)
        await place.pass_time(20 * MINUTE)
        assert (await place.own()).mail.failing_since_ms > 0
    assert mail_server.mails == []
