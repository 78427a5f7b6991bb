"""When a computer's action becomes visible if seats can act unperceived, so that its timing reveals nothing done unseen.

A computer needs a moment for every action, so the time that its turn takes would reveal how many there were. Therefore anything
that others perceive is played on a beat: a whole number of equal intervals after what everybody perceived last. Within an
interval, a computer does everything in between; what nobody else perceives is played immediately, because nobody sees when. What
only some perceive comes on a quarter of a beat, so that for everybody else the next whole one stays the same. A computer that is
late, because too few workers are running, comes on a later beat: then the time also depends on the workers.
"""

from brettwerk.internal.v1 import rules_pb2
from services.session.domain import clocks, perception, plies
from services.session.domain.perception import existing
from services.session.domain.state import State

_PARTS = 4
"""A turn is planned once, at its start: the beats after the first action last a fraction of the time for that."""
_CLOCK_SHARE = 8
"""A beat takes at most this fraction of what the seat's clock had when the beat began."""


def moment_ms(state: State, step: rules_pb2.Step, seat: int, now_ms: int, think_ms: int) -> int:
    """Return when a computer's action that is ready now is played, in milliseconds since 1970; `now_ms` if it need not wait.

    `state` is the one before it, `step` what the action leads to, and `think_ms` how long the computer may think about a turn.
    """
    others = existing(-1, len(state.seats)) & ~(1 << seat)
    if not step.can_hide or not others & ~step.unaware:
        return now_ms
    since_ms = perception.changed_ms(state)
    beat_ms = think_ms // _PARTS if plies.last_perceived_actor(state) == seat else think_ms
    if clocks.running(state):
        had_ms = clocks.left_ms(state, seat, now_ms) + max(0, now_ms - since_ms)
        beat_ms = min(beat_ms, had_ms // _CLOCK_SHARE)
    span_ms = max(1, beat_ms // _PARTS if others & step.unaware else beat_ms)
    return since_ms + max(1, -(-(now_ms - since_ms) // span_ms)) * span_ms
