"""The task of the queue: takes one finished session."""

import re

from services.players.results.app import RESULTS, app
from services.runtime.logs import logger

log = logger(__name__)

_SESSION_ID = re.compile(r"[0-9a-f]{2}[a-z2-7]{22}", re.ASCII)


@app.task(name=RESULTS)
def take(session_id: str) -> None:
    """Take a session that is over. It may come more than once, and to several workers; what is no id is logged and left."""
    if not isinstance(session_id, str) or not _SESSION_ID.fullmatch(session_id):
        log.warning("no session in a message of finished games")
        return
    log.debug("session taken", session=session_id)
