"""How long a request has waited, read from a queue without taking it out."""

import base64
import binascii
import json


def asked_ms(message: bytes | str | None) -> int | None:
    """Return when the request in one of Celery's messages was asked (ms since 1970); None where there is none to read."""
    if message is None:
        return None
    try:
        body = json.loads(base64.b64decode(json.loads(message)["body"]))
        return int(body[1]["asked_ms"])
    except (KeyError, IndexError, TypeError, ValueError, binascii.Error):
        return None
