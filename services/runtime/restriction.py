"""How it is refused what a moderator does not let a player do."""

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

TALK, ACCOUNT = "talk", "account"
"""The things that can be restricted: to say something, and to sign in and play."""


def holds(until_ms: int, now_ms: int) -> bool:
    """Return whether a restriction until then, 0 for good, still holds."""
    return not until_ms or now_ms < until_ms


def restricted(what: str, until_ms: int, reason: str, appeal: str) -> Refused:
    """Return the refusal. `until_ms`: since 1970, 0 for good; `appeal`: where a player can object, empty if nowhere."""
    said = "this account is suspended" if what == ACCOUNT else "this player may not talk at present"
    details = {"restriction": what, "until_ms": str(until_ms), "why": reason, **({"appeal": appeal} if appeal else {})}
    return Refused(errors_pb2.REASON_RESTRICTED, said, details=details)
