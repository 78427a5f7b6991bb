"""Held seeds: whether a step gets one, and the position that counts what is drawn from it."""

from typing import Any

from services.rules.any_codec import AnyCodec
from services.runtime.refusal import malformed, newer


def counting(any_codec: AnyCodec, position: Any, held: bool) -> Any:
    """Return the position in which a step is made. Raises Refused (MALFORMED) where the game does not know held seeds."""
    if not held:
        return position
    if not any_codec.game.facts.holds_seeds:
        raise malformed("held", "this game has a seed for every step")
    return any_codec.game.hold(position)


def require_held(any_codec: AnyCodec, rules_version: str, held: bool) -> None:
    """Return unless a session of these rules was given a seed that is not held, as a release does that knows no others.

    Raises Refused (UNAVAILABLE, newer), so that a process of this release is asked to go on with the session.
    """
    facts = any_codec.game.facts
    if facts.holds_seeds and not held and rules_version == facts.rules_version:
        raise newer("way of holding seeds")
