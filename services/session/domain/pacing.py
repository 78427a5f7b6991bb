"""When a computer's action may be seen, in a game in which seats can act unperceived: nobody learns from it what was done unseen.

A computer needs a moment for every action, so the time that its turn takes would tell how many there were. What others perceive
is therefore played on a beat: a whole number of equal spans after what everybody perceived last. Within a span a computer does
all that it does between the two; what nobody else perceives is played at once, since nobody sees when. What only some perceive
comes on a quarter of a beat, so that for everybody else the next whole one stays as it is.

A computer that is late, because too few workers run, comes on a later beat: then the time tells of the workers as well.
"""

from brettwerk.v1 import rules_pb2
from services.session.domain import clocks, perceiving, plies
from services.session.domain.state import State
from services.session.domain.updates import existing

_PARTS = 4
"""A turn is thought about once, at its start: the beats after the first action last a part of the time for that."""
_CLOCK_SHARE = 8
"""A beat takes at most this part of what the seat's clock had when the beat began."""


def moment_ms(state: State, step: rules_pb2.Step, seat: int, now_ms: int, think_ms: int) -> int:
    """Return when a computer's action is played that is ready now, in milliseconds since 1970; `now_ms` where it need not wait.

    `state` is the one before it, `step` what the action leads to, and `think_ms` how long the computer may think about a turn.
    """
    others = existing(-1, len(state.seats)) & ~(1 << seat)
    if not step.can_hide or not others & ~step.unaware:
        return now_ms
    since_ms = perceiving.changed_ms(state)
    beat_ms = think_ms // _PARTS if plies.last_perceived_actor(state) == seat else think_ms
    if clocks.running(state):
        had_ms = clocks.left_ms(state, seat, now_ms) + max(0, now_ms - since_ms)
        beat_ms = min(beat_ms, had_ms // _CLOCK_SHARE)
    span_ms = max(1, beat_ms // _PARTS if others & step.unaware else beat_ms)
    return since_ms + max(1, -(-(now_ms - since_ms) // span_ms)) * span_ms
