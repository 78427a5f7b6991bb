"""The bars for the figures. A bar that was not measured in a run is not judged in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loadtests.actions.figures import Result
from loadtests.actions.systems import STORES
from loadtests.actions.yardstick.boardgame import Store


@dataclass(frozen=True, slots=True)
class Bar:
    """The median of a figure is at least, or at most, a number."""

    game: str
    measure: str
    what: str
    value: Callable[[Result], float]
    least: float = float("-inf")
    most: float = float("inf")
    needs: str = ""
    """The yardstick that it is a ratio to."""
    under: str = ""
    """Words that must be among the measure's: a bar for 2,000 sessions says nothing of 20."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a bar."""

    game: str
    what: str
    bar: str
    measured: str
    met: bool


MEMORY_PER_CPU_S = 6000
"""Actions of boardgame.io in memory per CPU second at saturation on the machine that the bars per CPU second are for."""


def _in_units_of(store: Store, least: float) -> Bar:
    name = STORES[store]
    said = f"per CPU second, in units of {name}"
    return Bar("einstein", "saturation", said, lambda r: r.ratio(name).median, least=least, needs=name)


def _per_cpu_second(game: str, least: float) -> Bar:
    name = STORES["memory"]
    said = f"accepted per CPU second where {name} does {MEMORY_PER_CPU_S:,}"
    return Bar(game, "saturation", said, lambda r: MEMORY_PER_CPU_S * r.ratio(name).median, least=least, needs=name)


_RATE = "1,500 actions/s"
BARS = (
    _in_units_of("memory", 0.5),
    _in_units_of("flatfile", 1.5),
    _in_units_of("redis", 0.65),
    Bar("einstein", "rate", "p50 at 1,500/s, ms", lambda r: r.of(lambda w: w.p50_ms).median, most=1.5, under=_RATE),
    Bar("einstein", "rate", "p99 at 1,500/s, ms", lambda r: r.of(lambda w: w.p99_ms).median, most=10, under=_RATE),
    Bar("einstein", "rate", "accepted of the 1,500/s", lambda r: r.of(lambda w: w.per_s).median, least=1450, under=_RATE),
    Bar("einstein", "lone", "CPU of a lone action, ms", lambda r: r.of(lambda w: w.action_us).median / 1000, most=1.0),
    Bar("einstein", "lone", "p50 of a lone action, ms", lambda r: r.of(lambda w: w.p50_ms).median, most=2.5),
    Bar("einstein", "watchers", "a further watcher, µs", lambda r: r.watcher_us.median, most=15),
    Bar(
        "einstein",
        "idle",
        "2,000 idle sessions, share of a core",
        lambda r: r.of(lambda w: w.cores).median,
        most=0.05,
        under="2,000 sessions",
    ),
    _per_cpu_second("emperado", 2500),
    _per_cpu_second("plateau", 1800),
    _per_cpu_second("wec", 1100),
)


def judge(results: Sequence[Result]) -> list[Verdict]:
    """Return what came of every bar that can be judged with these results."""
    made = []
    for bar in BARS:
        for result in results:
            if (result.game, result.measure) != (bar.game, bar.measure):
                continue
            if bar.needs not in ("", *result.yardsticks) or bar.under not in result.what:
                continue
            value = bar.value(result)
            wanted = f"at least {bar.least:,g}" if bar.least > float("-inf") else f"at most {bar.most:,g}"
            made.append(Verdict(bar.game, bar.what, wanted, f"{value:,.4g}", bar.least <= value <= bar.most))
    return made
