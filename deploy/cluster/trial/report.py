"""The results of a trial, and the page that tells of them."""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

SECTIONS = ("releases", "stores", "pods", "mishaps", "scaling", "nodes")
"""Of a trial, in the order in which they are tried."""
Action: TypeAlias = tuple[str, Callable[[], str | None]]
"""A step's name, and what is done; it may return a remark."""

NEVER_THERE = (
    "a registry: images are built here and given to containerd, pull policy `Never`",
    "an ingress controller, and a controller of the Gateway API: players come by the service of the gateway",
    "cert-manager and the Prometheus operator: certificates are Helm's (`tls.mode: generated`)",
    "a network plugin: `deploy/cluster/enforcer.py` enforces network policies",
)
"""The parts that no cluster of deploy/cluster has."""


@dataclass
class Step:
    """Something that was done to the cluster while people played."""

    name: str
    took_s: float = 0.0
    actions: int = 0
    """That were acknowledged meanwhile."""
    longest_s: float = 0.0
    """That anybody waited for an answer meanwhile."""
    longest_move_s: float = 0.0
    """That anybody waited for a computer's move meanwhile."""
    lost: int = 0
    """Of these actions."""
    note: str = ""
    """A remark on it."""
    failure: str = ""
    """Why it did not go well."""


@dataclass(frozen=True)
class Back:
    """How long until a component had its number of ready pods again."""

    component: str
    how: str
    seconds: float


@dataclass
class Report:
    """All of a trial."""

    date: str
    commit: str
    versions: Mapping[str, str]
    machine: str
    steps: list[Step] = field(default_factory=list)
    back: list[Back] = field(default_factory=list)
    games: int = 0
    actions: int = 0
    lost: int = 0
    given_up: Sequence[str] = ()
    """Calls that were refused for good, or not answered in five minutes: when, and why."""
    wrong: Sequence[str] = ()
    """Records that the system itself finds fault with, and tables that did not end."""
    omitted: list[str] = field(default_factory=list)
    """The steps that there was no time for."""
    absent: list[str] = field(default_factory=list)
    """The parts that this cluster was brought up without."""
    restarts: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    """Containers that the kubelet started again by itself, and for which time: in which step that was seen, and why."""

    @property
    def is_well(self) -> bool:
        """Whether every step went well and nothing that was acknowledged is lost."""
        return bool(self.steps) and self.actions > 0 and not (self.lost or self.wrong or any(step.failure for step in self.steps))


def page(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n".join(_text(report)) + "\n"


def _text(report: Report) -> Iterator[str]:
    yield "# The chart on a real cluster: results"
    yield ""
    yield "Written by `deploy/cluster/try`; [kubernetes.md](kubernetes.md#a-node-to-try-it-on) says how to run it."
    yield ""
    yield f"{report.date}, commit {report.commit}, {report.machine}."
    yield ""
    yield from (f"- {name}: {version}" for name, version in report.versions.items())
    yield ""
    verdict = "All went well" if report.is_well else "**Not all went well**"
    yield f"{verdict}. Of {report.actions} acknowledged actions in {report.games} finished games, {report.lost} were lost;"
    yield f"{len(report.given_up)} calls were refused for good, or got no answer in five minutes."
    yield ""
    yield "| while people played | took | actions acknowledged | longest wait for an answer | for a computer's move | lost | |"
    yield "| --- | --: | --: | --: | --: | --: | --- |"
    for step in report.steps:
        waited = f"{step.longest_s:.1f} s | {step.longest_move_s:.1f} s" if step.actions else " | "
        outcome = step.failure or "as expected" + (f"; {step.note}" if step.note else "")
        yield f"| {step.name} | {step.took_s:.0f} s | {step.actions or ''} | {waited} | {step.lost} | {_cell(outcome)} |"
    yield ""
    yield from _back(report.back)
    if report.omitted:
        yield _filled(f"There was no time for: {', '.join(report.omitted)}.")
        yield ""
    if report.restarts:
        yield "Containers that the kubelet had to start again by itself:"
        yield ""
        for (container, time), (during, why) in report.restarts.items():
            again = f", time {time}" if time > 1 else ""
            yield _filled(f"- {container}, {_cell(why) or 'unknown why'} (seen in: {during}){again}", "  ")
    else:
        yield "No container had to be started again by the kubelet."
    yield ""
    yield from _listed("Calls that were given up:", report.given_up)
    yield from _listed("Not right at the end:", report.wrong)
    yield "Not available here, and therefore not tested:"
    yield ""
    yield from (f"- {one}" for one in (*NEVER_THERE, *report.absent))


def _listed(heading: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield heading
        yield ""
        yield from (_filled(f"- {_cell(one)}", "  ") for one in entries)
        yield ""


def _back(back: Sequence[Back]) -> Iterator[str]:
    if not back:
        return
    yield "Seconds until a component had its number of ready pods again:"
    yield ""
    kinds = list(dict.fromkeys(one.how for one in back))
    yield f"| component | {' | '.join(kinds)} |"
    yield f"| --- |{' --: |' * len(kinds)}"
    for component in dict.fromkeys(one.component for one in back):
        cells = []
        for kind in kinds:
            times = [one.seconds for one in back if one.component == component and one.how == kind]
            cells.append(", ".join(f"{seconds:.1f}" for seconds in times))
        yield f"| {component} | {' | '.join(cells)} |"
    yield ""


def _filled(text: str, then: str = "") -> str:
    return textwrap.fill(text, 110, break_long_words=False, break_on_hyphens=False, subsequent_indent=then)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")[:300]
