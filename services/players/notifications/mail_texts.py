"""The texts of mail: plain text, and the same in simple HTML. Pure."""

import hashlib
import html
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from services.players.news.schedule import Item
from services.players.notifications.links import Links
from services.players.notifications.words import game_name, say, sentence
from services.runtime.player_text import TITLE_BYTES, shown_text
from services.runtime.time_zones import zone_of

SHOWN = 20
"""How many tables a mail names; it counts the others."""
SUBJECT_BYTES = 400
"""The longest subject."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The recipient of a mail."""

    player_id: str
    name: str
    address: str
    language: str
    """One that there is."""
    time_zone: str
    stop_code: str
    """The link to unsubscribe."""


def news_mail(sender: str, reader: Reader, items: Sequence[Item], version: int, links: Links, now_ms: int) -> EmailMessage:
    """Return the mail with news, the most urgent first. The same news up to a version always gets the same Message-ID."""
    language = reader.language
    ordered = sorted(items, key=lambda item: (item.until_ms == 0, item.until_ms, -item.version))
    first = ordered[0]
    if len(items) == 1:
        subject = say(language, "mail.subject.one", table=table_name(language, first), sentence=sentence(language, first))
    else:
        subject = say(language, "mail.subject.many", count=len(items))
    message = _mail(sender, reader, subject, f"{reader.player_id}\0{reader.address}\0{version}", links, now_ms)
    stop = links.unsubscription(reader.stop_code)
    message["List-Unsubscribe"] = f"<{stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    lines = [(_line(reader, item), links.page(item.path)) for item in ordered[:SHOWN]]
    more = [say(language, "mail.more", count=len(items) - SHOWN)] if len(items) > SHOWN else []
    greeting, tables = say(language, "mail.greeting", name=reader.name), say(language, "mail.tables")
    why, ending = say(language, "mail.why"), say(language, "mail.stop")
    plain = [greeting, "", *(part for text, link in lines for part in (text, link, "")), *more, *([""] if more else [])]
    message.set_content("\n".join([*plain, "-- ", f"{why} {links.settings}", f"{ending} {stop}", ""]))
    listed = "".join(f'<li><a href="{html.escape(link)}">{html.escape(text)}</a></li>' for text, link in lines)
    listed += "".join(f"<li>{html.escape(text)}</li>" for text in more)
    small = f"{html.escape(why)} {_link(links.settings, say(language, 'mail.settings.label'))} · "
    small += _link(stop, say(language, "mail.stop.label"))
    body = f"<p>{html.escape(greeting)}</p><p>{html.escape(tables)}</p><ul>{listed}</ul><hr><p><small>{small}</small></p>"
    return _with_html(message, language, body)


def confirmation_mail(sender: str, reader: Reader, code: str, links: Links, now_ms: int) -> EmailMessage:
    """Return the mail that asks whether somebody wants mail at all. It contains nothing written by whoever named the address."""
    language, link = reader.language, links.confirmation(code)
    message = _mail(sender, reader, say(language, "confirm.subject"), f"confirm\0{code}", links, now_ms)
    text, denial = say(language, "confirm.text", host=links.host), say(language, "confirm.not")
    message.set_content(f"{text}\n\n{link}\n\n{denial}\n")
    label = say(language, "confirm.label")
    return _with_html(message, language, f"<p>{html.escape(text)}</p><p>{_link(link, label)}</p><p>{html.escape(denial)}</p>")


def test_mail(sender: str, reader: Reader, links: Links, now_ms: int) -> EmailMessage:
    """Return the test mail."""
    language, stop = reader.language, links.unsubscription(reader.stop_code)
    message = _mail(sender, reader, say(language, "test.subject"), f"test\0{reader.player_id}\0{now_ms}", links, now_ms)
    message["List-Unsubscribe"] = f"<{stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    greeting, text = say(language, "mail.greeting", name=reader.name), say(language, "test.text", host=links.host)
    message.set_content(f"{greeting}\n\n{text}\n\n-- \n{say(language, 'mail.stop')} {stop}\n")
    ending = _link(stop, say(language, "mail.stop.label"))
    return _with_html(
        message, language, f"<p>{html.escape(greeting)}</p><p>{html.escape(text)}</p><hr><p><small>{ending}</small></p>"
    )


def table_name(language: str, item: Item) -> str:
    """Return what a table is called: by its title, or by its game; the server, where it is about none."""
    return shown_text(item.title, TITLE_BYTES) or game_name(language, item.game) or "Brettwerk"


def _mail(sender: str, reader: Reader, subject: str, named: str, links: Links, now_ms: int) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = reader.address
    message["Subject"] = shown_text(subject, SUBJECT_BYTES)
    message["Date"] = format_datetime(datetime.fromtimestamp(now_ms / 1000, UTC))
    message["Message-ID"] = f"<{hashlib.sha256(named.encode()).hexdigest()[:40]}@{links.host.partition(':')[0]}>"
    message["Content-Language"] = reader.language
    message["Auto-Submitted"] = "auto-generated"  # no answering machine answers (RFC 3834)
    return message


def _with_html(message: EmailMessage, language: str, body: str) -> EmailMessage:
    page = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><body style="font-family:sans-serif">{body}</body></html>'
    )
    message.add_alternative(page, subtype="html")
    return message


def _line(reader: Reader, item: Item) -> str:
    language = reader.language
    line = say(language, "mail.line", table=table_name(language, item), sentence=sentence(language, item))
    if not item.until_ms:
        return line
    local = datetime.fromtimestamp(item.until_ms / 1000, zone_of(reader.time_zone) or UTC)
    return f"{line} {say(language, 'mail.until', time=local.strftime(say(language, 'mail.time')))}"


def _link(address: str, label: str) -> str:
    return f'<a href="{html.escape(address)}">{html.escape(label)}</a>'
