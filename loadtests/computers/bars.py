"""The bars that have to hold for computers to keep up, and those of them that do not."""

import math

from loadtests.computers.figures import Outcome

OF_CAPACITY = 0.9
EASY_P95_S, EASY_AT_K = 2.0, 10.0
HINT_P95_S = 3.0
RECOVERED_S = 10.0


def missed(outcome: Outcome) -> list[str]:
    """Return a sentence for each bar that is missed."""
    said: list[str] = []

    def must(holds: bool, sentence: str) -> None:
        if not holds:
            said.append(sentence)

    for one in outcome.stretches:
        at = f"at k = {one.k:g}"
        if one.k > 1:
            must(one.of_capacity >= OF_CAPACITY, f"{one.of_capacity:.2f} of capacity was played {at}, not {OF_CAPACITY}")
        if one.k <= EASY_AT_K:
            must(not one.easy_p95_s > EASY_P95_S, f"the easy level took {one.easy_p95_s:.2f} s at p95 {at}, not {EASY_P95_S} s")
            must(one.easy_moves > 0, f"no person at the easy level got a move {at}")
        must(not one.hint_p95_s > HINT_P95_S, f"hints took {one.hint_p95_s:.2f} s at p95 {at}, not {HINT_P95_S} s")
        must(not one.hints_failed, f"{one.hints_failed} of {one.hints} hints failed {at}")
    must(not outcome.fallbacks, f"{outcome.fallbacks} moves were not thought about")
    for name, seconds in (("the end of overload", outcome.recovered_s), ("added workers", outcome.recovered_by_workers_s)):
        if not math.isnan(seconds):
            must(seconds <= RECOVERED_S, f"waits were as at k = 1 {seconds:.0f} s after {name}, not {RECOVERED_S:.0f} s")
    must(not outcome.stuck, f"{outcome.stuck} tables were stuck")
    must(not outcome.tracebacks, f"{outcome.tracebacks} tracebacks were logged")
    return said
