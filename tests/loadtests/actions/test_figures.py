import math

import pytest

from loadtests.actions.bars import BARS, judge
from loadtests.actions.figures import Result, Spread, Window
from loadtests.actions.markdown import COLUMNS, markdown, tables
from loadtests.actions.measures import GAMES, measures
from loadtests.crowd.results import Results


def window(accepted: int, seconds: float = 2.0, p50_ms: float = 1.0, missed: int = 0, **cpu_s: float) -> Window:
    return Window(seconds, accepted, 3, cpu_s, 0.1, 0.02, p50_ms, 4.0, missed)


def test_a_window_counts_what_all_processes_took_and_never_the_driver():
    one = window(1000, gateway=0.5, session=1.0, redis=0.5)
    assert (one.per_s, one.per_cpu_s, one.action_us, one.cores) == (500, 500, 2000, 1.0)
    assert sum(one.process_us(name) for name in one.cpu_s) == one.action_us
    assert one.driver_us == pytest.approx(100)


def test_percentiles_are_those_of_the_latencies():
    counted = Results(accepted=100, latencies_s=[i / 1000 for i in range(100, 0, -1)])
    made = Window.of(counted, 1.0, {"gateway": 1.0}, (0.1, 0.0), 0)
    assert (made.p50_ms, made.p99_ms) == (50.5, 100)


def test_a_window_in_which_nothing_happened_has_no_figures_of_actions():
    idle = Window.of(Results(), 2.0, {"gateway": 0.1}, (0.0, 0.0), 0)
    assert idle.cores == 0.05
    assert math.isnan(Result("einstein", "idle", "", [idle], {"boardgame.io": [idle]}).ratio("boardgame.io").median)
    assert all(
        math.isnan(value) for value in (idle.per_cpu_s, idle.action_us, idle.driver_us, idle.p50_ms, idle.process_us("gateway"))
    )


def test_a_spread_is_the_median_between_the_least_and_the_most():
    assert Spread.of([3, math.nan, 1, 10]) == Spread(1, 3, 10)
    assert Spread.of([3, 1, 10]).text(1) == "3.0 (1.0–10.0)"
    assert Spread.of([]).text() == ""


def test_ratios_and_costs_of_watchers_are_taken_window_by_window():
    own = [window(1000, gateway=1.0), window(1000, gateway=2.0), window(1000, gateway=1.0)]
    other = [window(2000, server=1.0), window(500, server=1.0), window(1000, server=1.0)]
    base = [window(1000, gateway=0.96), window(1000, gateway=1.92), window(1000, gateway=0.92)]
    result = Result("einstein", "watchers", "six", own, {"boardgame.io": other}, base, more=4)
    assert result.ratio("boardgame.io") == Spread(0.5, 1.0, 1.0)
    assert result.watcher_us.median == pytest.approx(20)
    assert result.kept()["figures"]["ratio to boardgame.io"]["median"] == 1.0


def test_another_state_is_compared_pair_by_pair_so_that_a_slow_minute_counts_for_none():
    own = [window(1000, gateway=1.1), window(1000, gateway=4.4)]
    other = [window(1000, gateway=1.0), window(1000, gateway=4.0)]
    percent, error = Result("einstein", "saturation", "thirty", own, {"Brettwerk of 1a2b": other}).dearer("Brettwerk of 1a2b")
    assert percent == pytest.approx(10)
    assert error == pytest.approx(0, abs=1e-9)
    own = [window(1000, gateway=2.0), window(1000, gateway=0.5)]
    other = [window(1000, gateway=1.0), window(1000, gateway=1.0)]
    result = Result("einstein", "saturation", "thirty", own, {"Brettwerk of 1a2b": other, "boardgame.io": other})
    percent, error = result.dearer("Brettwerk of 1a2b")
    assert percent == pytest.approx(0)
    assert error == pytest.approx(100 * math.log(2))
    said = "thirty: -0.0 % of CPU for an action beside Brettwerk of 1a2b, ± 69.3 (standard error, 2 pairs)."
    assert said.replace("-0.0", "+0.0") in markdown([result], [], {}).replace("-0.0", "+0.0")
    assert "beside boardgame.io" not in markdown([result], [], {})


def test_the_table_of_a_game_tells_sums_and_ratios():
    own = [window(1000, gateway=0.25, session=0.5, rules=0.25, redis=0.5, ai=0.5)] * 2
    both = {"boardgame.io": [window(2000, server=1.0)] * 2, "boardgame.io, Redis": [window(1000, server=0.5, redis=0.5)] * 2}
    results = [
        Result("einstein", "saturation", "thirty", own, both),
        Result(
            "einstein", "rate", "open", [window(900, missed=7, gateway=1.0)] * 2, {"boardgame.io": [window(900, server=1.0)] * 2}
        ),
        Result(
            "einstein",
            "idle",
            "many",
            [window(0, gateway=0.1, session=0.02)],
            {"boardgame.io": [window(0, server=0.04)]},
            [window(0, gateway=0.02)],
        ),
        Result("wec", "lone", "one", own, faults=["a fault", "a fault"]),
    ]
    text = markdown(results, judge(results), {"CPUs": "2"})
    first, second, third = [line for line in text.splitlines() if line.startswith("| thirty")]
    assert "| 500 | 500 (500–500) | 1.0 (1.0–1.0) | 4.0 (4.0–4.0) | 250, 500, 250, 500, 500 |" in first
    assert second.endswith("| 2,000 (2,000–2,000) | 1.0, 4.0 | 0.250 (0.250–0.250) |")
    assert third.endswith("| 1,000 (1,000–1,000) | 1.0, 4.0 | 0.500 (0.500–0.500) |")
    assert "450 (14 given up)" in text
    assert (
        "Idle, many: 6.0 (6.0–6.0) % of a core (gateway 5.0, session 1.0); without any session 1.0 (1.0–1.0) %; boardgame.io"
        in text
    )
    assert "A lone action: 2.00 (2.00–2.00) ms of CPU." in text
    assert "- wec, lone: a fault (2)" in text


def test_a_table_that_would_be_too_wide_is_several_that_begin_alike():
    wide = [["game", *(f"measure {number}" for number in range(20))], ["einstein", *["1,000"] * 20]]
    lines = tables(wide)
    assert max(map(len, lines)) <= COLUMNS
    assert lines.count("") >= 1
    assert {line.split(" | ")[0] for line in lines if line} == {"| game", "| ---", "| einstein"}
    assert sum(line.count("1,000") for line in lines) == 20


def test_a_run_at_rest_alone_is_printed_without_empty_tables():
    rest = [window(0, gateway=0.1)]
    text = markdown([Result("einstein", "idle", "many", rest, base=rest)], [], {"CPUs": "2"})
    assert "|" not in text
    assert "Idle, many: 5.0" in text


def test_a_bar_is_judged_by_the_median_and_only_where_it_was_measured():
    fast, slow = window(4000, gateway=1.0), window(700, gateway=1.0)
    memory = {"boardgame.io": [window(2000, server=1.0)] * 3}
    durable = {"boardgame.io, FlatFile": [window(2000, server=1.0)] * 3, "boardgame.io, Redis": [window(8000, server=1.0)] * 3}
    met = judge([Result("einstein", "saturation", "", [fast, slow, fast], memory)])
    assert [(verdict.met, verdict.measured) for verdict in met] == [(True, "2")]
    assert [(v.met, v.measured) for v in judge([Result("einstein", "saturation", "", [fast], durable)])] == [
        (True, "2"),
        (False, "0.5"),
    ]
    assert not judge([Result("einstein", "saturation", "", [slow, slow, fast], memory)])[0].met
    assert judge([Result("einstein", "saturation", "", [fast] * 3, {"fixed work": memory["boardgame.io"]})]) == []
    nothing = Result("wec", "saturation", "", [window(0, gateway=1.0)], memory)
    assert not judge([nothing])[0].met
    # 1,000 beside a yardstick of 2,000 are 3,000 beside one of 6,000.
    assert judge([Result("wec", "saturation", "", [window(1000, gateway=1.0)], memory)])[0].measured == "3,000"


def test_every_bar_is_of_something_that_is_measured():
    named = {(game, one.name) for game in GAMES for one in measures(game, 2000)}
    assert {(bar.game, bar.measure) for bar in BARS} <= named
