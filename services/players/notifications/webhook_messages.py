"""The messages that are sent to webhooks: a body for each form, and the signature of JSON by Standard Webhooks. Pure."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from brettwerk.v1 import webhooks_pb2 as pb
from services.players.news.schedule import Item
from services.players.notifications.links import Links
from services.players.notifications.mail_texts import table_name
from services.players.notifications.seen_tables import SeenTable
from services.players.notifications.words import game_name, kind_name, say, sentence
from services.runtime.player_text import TITLE_BYTES, shown_text
from services.runtime.refusal import listed, malformed

SECRET_BYTES = 32
PREFIX = "whsec_"
_BY_HOST = {
    "discord.com": pb.WEBHOOK_FORM_DISCORD,
    "discordapp.com": pb.WEBHOOK_FORM_DISCORD,
    "hooks.slack.com": pb.WEBHOOK_FORM_SLACK,
    "ntfy.sh": pb.WEBHOOK_FORM_NTFY,
}


@dataclass(frozen=True, slots=True)
class Message:
    """The content of one message, whatever its form."""

    id: str
    """The same for each attempt: receivers that keep it take nothing twice."""
    title: str
    text: str
    url: str
    type: str
    data: Mapping[str, object]
    picture: bytes = b""
    """A PNG; empty for none."""


def form_of(form: int, url: str) -> int:
    """Return the form of a webhook: as asked for, or by the host of its URL. Raises Refused (MALFORMED) for none that exists."""
    if form not in pb.WebhookForm.values():
        raise malformed("form", f"there is no form of a webhook {form}; there are: {listed(pb.WebhookForm.keys())}")
    return form or _BY_HOST.get((urlsplit(url).hostname or "").lower(), pb.WEBHOOK_FORM_JSON)


def of_news(webhook_id: str, language: str, item: Item, links: Links) -> Message:
    """Return the message of news."""
    kind = kind_name(item.kind)
    title, text = table_name(language, item), sentence(language, item)
    url = links.page(item.path)
    about = {"kind": kind, "title": title, "text": text, "url": url, "game": item.game, "session_id": item.session_id}
    about |= {"challenge_id": item.challenge_id, "tournament_id": item.tournament_id}
    about["reason"] = item.ruling.reason if item.ruling is not None else ""
    data: dict[str, object] = {name: value for name, value in about.items() if value}
    if item.until_ms:
        data["until"] = _time(item.until_ms)
    data["at"] = _time(item.at_ms)
    return Message(_id(webhook_id, str(item.version)), title, text, url, f"news.{kind}", data)


def of_many(webhook_id: str, language: str, items: Sequence[Item], links: Links) -> Message:
    """Return the message in place of many."""
    text, url = say(language, "push.many", count=len(items)), links.page("/")
    data = {"text": text, "url": url, "count": len(items)}
    return Message(_id(webhook_id, str(items[-1].version)), "Brettwerk", text, url, "news.many", data)


def of_turn(webhook_id: str, language: str, table: SeenTable, picture: bytes, links: Links) -> Message:
    """Return the message of a turn at a table, or of the end of its game."""
    kind = "game_over" if table.is_over else "turn"
    title = shown_text(table.title, TITLE_BYTES) or game_name(language, table.game)
    text = say(language, "news.game_over") if table.is_over else say(language, "table.turn", names=", ".join(table.names))
    url = links.page(f"/s/{table.session_id}")
    data: dict[str, object] = {"kind": kind, "title": title, "text": text, "url": url, "game": table.game}
    data |= {"session_id": table.session_id, "players": list(table.names), "at": _time(table.at_ms)}
    if picture:
        data["picture"] = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    return Message(_id(webhook_id, f"table {table.version}"), title, text, url, f"table.{kind}", data, picture)


def of_test(webhook_id: str, language: str, links: Links, now_ms: int) -> Message:
    """Return the test message."""
    text = say(language, "webhook.test")
    return Message(_id(webhook_id, f"test {now_ms}"), "Brettwerk", text, links.settings, "test", {"text": text})


def request(form: int, message: Message, secrets: Sequence[bytes], now_ms: int) -> tuple[dict[str, str], bytes]:
    """Return headers and body; JSON is signed with each of `secrets`."""
    line = f"{message.title}: {message.text}"
    match form:
        case pb.WEBHOOK_FORM_DISCORD:
            # a title is written by players: it calls nobody
            headers, body = _json({"content": f"{line}\n{message.url}"[:2000], "allowed_mentions": {"parse": []}})
            return _with_picture(message, body) if message.picture else (headers, body)
        case pb.WEBHOOK_FORM_SLACK:
            escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return _json({"text": f"{escaped}\n<{message.url}>"})
        case pb.WEBHOOK_FORM_MATRIX:
            return _json({"text": f"{line}\n{message.url}"})
        case pb.WEBHOOK_FORM_NTFY:
            title = base64.b64encode(message.title.encode()).decode()
            headers = {"title": f"=?UTF-8?B?{title}?=", "click": message.url, "content-type": "text/plain; charset=utf-8"}
            return headers, message.text.encode()
    at_s = str(now_ms // 1000)
    headers, body = _json({"type": message.type, "timestamp": _time(now_ms), "data": message.data})
    signed = " ".join(signature(secret, message.id, at_s, body) for secret in secrets)
    return {**headers, "webhook-id": message.id, "webhook-timestamp": at_s, "webhook-signature": signed}, body


def signature(secret: bytes, message_id: str, at_s: str, body: bytes) -> str:
    """Return the signature of a message by Standard Webhooks 1.0: `v1,` and an HMAC-SHA256 in base64."""
    made = hmac.digest(secret, b".".join((message_id.encode(), at_s.encode(), body)), hashlib.sha256)
    return f"v1,{base64.b64encode(made).decode()}"


def shown(secret: bytes) -> str:
    """Return a secret as its owner copies it."""
    return PREFIX + base64.b64encode(secret).decode()


def _json(body: Mapping[str, object]) -> tuple[dict[str, str], bytes]:
    return {"content-type": "application/json"}, json.dumps(body, ensure_ascii=False).encode()


def _with_picture(message: Message, payload: bytes) -> tuple[dict[str, str], bytes]:
    """Return a form with a message of Discord and its picture."""
    parts = (
        b'name="payload_json"\r\ncontent-type: application/json\r\n\r\n' + payload,
        b'name="files[0]"; filename="board.png"\r\ncontent-type: image/png\r\n\r\n' + message.picture,
    )
    line = f"--{message.id}".encode()
    body = b"".join(line + b"\r\ncontent-disposition: form-data; " + part + b"\r\n" for part in parts) + line + b"--\r\n"
    return {"content-type": f"multipart/form-data; boundary={message.id}"}, body


def _id(webhook_id: str, what: str) -> str:
    return f"msg_{hashlib.sha256(f'{webhook_id} {what}'.encode()).hexdigest()[:32]}"


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
