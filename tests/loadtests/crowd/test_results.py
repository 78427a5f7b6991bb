from loadtests.crowd.results import Results, Window, report


def counted(accepted: int, latencies_s: list[float], cpu_s: dict[str, float], seconds: float = 2.0) -> Window:
    results = Results(accepted=accepted, latencies_s=latencies_s)
    return Window.of(results, seconds, cpu_s)


def test_rates_are_accepted_actions_over_time_and_over_the_cpu_time_of_all_processes():
    window = counted(1000, [0.001], {"gateway": 0.5, "session": 1.5})
    assert window.per_s == 500
    assert window.per_cpu_s == 500


def test_percentiles_are_those_of_the_latencies():
    window = counted(100, [i / 1000 for i in range(1, 101)], {"gateway": 1.0})
    assert window.p50_ms == 50.5
    assert window.p99_ms == 100


def test_a_report_tells_the_medians_of_its_windows_and_what_was_refused():
    windows = [counted(n, [0.002], {"gateway": 1.0}) for n in (100, 900, 200)]
    windows[0].refusals["REASON_FULL"] = 3
    text = report(windows, "some title")
    assert "| 100 | 200 | 2.0 ms | 2.0 ms |" in text
    assert "| gateway | 5,000 |" in text
    assert "'REASON_FULL': 3" in text
