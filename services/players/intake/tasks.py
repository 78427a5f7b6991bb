"""The task of the queue: takes finished sessions."""

import re
from functools import cache

from services.archive.outbox import Outbox
from services.players.intake.app import RESULTS, app
from services.players.intake.intake import Intake
from services.players.intake.publisher import IN_A_MESSAGE
from services.players.store import open_store
from services.runtime.logs import logger
from services.runtime.settings import settings

log = logger(__name__)

_SESSION_ID = re.compile(r"[0-9a-f]{2}[a-z2-7]{22}", re.ASCII)


@app.task(name=RESULTS)
def take(session_ids: list[str]) -> None:
    """Take sessions that are over. They may come more than once, and to several workers; what are no ids is logged and left."""
    if not isinstance(session_ids, list) or not all(isinstance(one, str) and _SESSION_ID.fullmatch(one) for one in session_ids):
        log.warning("no sessions in a message of finished games")
        return
    new = _taking().take(session_ids[:IN_A_MESSAGE])
    log.debug("sessions taken", new=new)


@cache
def _taking() -> Intake:
    return Intake(Outbox.open(settings().database_url), open_store(settings().players_database_url))
