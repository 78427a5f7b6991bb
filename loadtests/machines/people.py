"""People play all four games over slow lines that lose, with one another and with computers; then what was kept is judged."""

from collections.abc import Sequence

from loadtests.chaos.driver import Driver
from loadtests.chaos.faults.fault import Fault
from loadtests.chaos.figures import Figures
from loadtests.chaos.tables import Manner
from loadtests.machines.cluster import Cluster
from loadtests.machines.outcome import Outcome
from loadtests.run import Say

THINK_S = 0.3


async def play(cluster: Cluster, seconds: float, tables: int, say: Say) -> Outcome:
    """Play for so long; games are brought to their end."""
    outcome = Outcome("play")
    figures = await people(cluster, [], seconds, tables, say)
    outcome.take(figures)
    outcome.must(not figures.fallbacks, f"{figures.fallbacks} moves of computers were made by the session service in their place")
    outcome.must(figures.games >= tables, f"{figures.games} games were played to the end at {tables} tables")
    return outcome


async def people(cluster: Cluster, happening: Sequence[Fault], seconds: float, tables: int, say: Say) -> Figures:
    """Return the figures of people who play while something happens; each of it once where `seconds` is 0."""
    figures = Figures()
    await Driver(
        cluster,
        figures,
        happening,
        [],
        tables=tables,
        manner=Manner(think_s=THINK_S),
        seed=1,
        pause_s=(1.0, 1.0),
        single=False,
        say=say,
    ).run(seconds or 1.5)
    cluster.note_faults(figures)
    return figures
