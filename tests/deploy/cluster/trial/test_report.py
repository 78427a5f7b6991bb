"""The results of a trial."""

import pytest

from deploy.cluster.trial.report import Back, Report, Step, page


def report(*steps: Step, **more: object) -> Report:
    made = Report("2026-11-26", "abc", {"Kubernetes": "v1.34.9"}, "2 CPUs")
    made.steps, made.actions, made.games = list(steps), 10, 1
    for name, value in more.items():
        setattr(made, name, value)
    return made


GOOD = Step("killed", took_s=12.4, actions=7, longest_s=1.26, longest_move_s=2.0)


@pytest.mark.parametrize(
    ("made", "is_well"),
    [
        (report(GOOD), True),
        (report(), False),
        (report(GOOD, actions=0), False),
        (report(GOOD, lost=1), False),
        (report(GOOD, wrong=["s: damaged"]), False),
        (report(GOOD, Step("rolled", failure="not ready")), False),
        (report(GOOD, given_up=["no session"]), True),
    ],
)
def test_all_is_well_when_nothing_is_lost_and_every_step_went_well(made: Report, is_well: bool) -> None:
    assert made.is_well is is_well
    assert ("All went well" in page(made)) is is_well


def test_every_step_has_a_line() -> None:
    found = page(report(GOOD, Step("rolled", took_s=3.0, failure="a | b\nc", lost=2))).splitlines()
    assert "| killed | 12 s | 7 | 1.3 s | 2.0 s | 0 | as expected |" in found
    assert "| rolled | 3 s |  |  |  | 2 | a / b c |" in found


def test_times_until_pods_were_back_stand_by_component_and_kind() -> None:
    back = [
        Back("rules", "killed", 4.0),
        Back("rules", "killed", 5.25),
        Back("rules", "evicted", 6.0),
        Back("ai", "evicted", 7.0),
    ]
    found = page(report(GOOD, back=back)).splitlines()
    assert "| component | killed | evicted |" in found
    assert "| rules | 4.0, 5.2 | 6.0 |" in found
    assert "| ai |  | 7.0 |" in found


def test_restarts_are_named_with_their_reasons() -> None:
    seen = {("ai-1, ai", 1): ("killed", "Error, exit code 2: no broker"), ("rules-2, rules", 2): ("rolled", "")}
    found = page(report(GOOD, restarts=seen))
    assert "- ai-1, ai, Error, exit code 2: no broker (seen in: killed)\n" in found
    assert "- rules-2, rules, unknown why (seen in: rolled), time 2\n" in found
    assert "No container had to be started again" in page(report(GOOD))


def test_parts_that_the_cluster_lacks_are_named() -> None:
    assert "- KEDA: nothing was scaled by demand\n" in page(report(GOOD, absent=["KEDA: nothing was scaled by demand"]))
    assert "KEDA" not in page(report(GOOD))


def test_omitted_steps_are_named_and_notes_stand_with_their_step() -> None:
    found = page(report(Step("the master killed", took_s=5.0, note="another one after 4.1 s"), omitted=["roll all", "hurt pods"]))
    assert "There was no time for: roll all, hurt pods." in found
    assert "| the master killed | 5 s |  |  |  | 0 | as expected; another one after 4.1 s |" in found
    assert "There was no time" not in page(report(GOOD))
