"""The report of a simulation. Pure."""

from loadtests.club.year import Outcome
from loadtests.markdown import table

_SHOWN = 12
_KIB, _MIB = 1024, 1024 * 1024


def written(outcome: Outcome) -> str:
    """Return the tables, and the first findings of each kind."""
    sections = [_course(outcome), _delivered(outcome), _sizes(outcome)]
    for name, verdict in [("feeds", outcome.feeds), *outcome.ways.items()]:
        for what in ("twice", "forgotten", "late", "at_night"):
            sections += [f"{name}, {what}: {one}" for one in getattr(verdict, what)[:_SHOWN]]
    sections += [f"games twice: {one}" for one in outcome.games_twice]
    sections += [f"not over: {one}" for one in outcome.unfinished]
    sections += [f"it went no further: {outcome.broken}"] if outcome.broken else []
    sections.append("no fault" if not outcome.faults else f"{outcome.faults} faults")
    return "\n\n".join(sections)


def _course(outcome: Outcome) -> str:
    names = (
        "days",
        "visits",
        "actions",
        "games",
        "seats given up",
        "substitutes",
        "left for good",
        "reminders",
        "kills",
        "calls again",
    )
    row = (
        outcome.days,
        outcome.visits, outcome.actions, outcome.games, outcome.asked, outcome.substitutes, outcome.leavers, outcome.nudges,
        len(outcome.kills), outcome.retries,
    )  # fmt: skip
    said = ", ".join(f"{kind} {count}" for kind, count in outcome.news.items())
    kills = "; ".join(outcome.kills)
    return f"{table(names, [row])}\n\nnews: {said}\n\nkilled in the middle of: {kills}"


def _delivered(outcome: Outcome) -> str:
    names = ("by", "news for it", "messages", "again after a kill", "twice", "forgotten", "late", "in quiet hours")
    rows = [
        (
            way, one.items, one.messages, one.repeated, len(one.twice), len(one.forgotten), len(one.late), len(one.at_night),
        )
        for way, one in [("feed", outcome.feeds), *outcome.ways.items()]
    ]  # fmt: skip
    return table(names, rows)


def _sizes(outcome: Outcome) -> str:
    began, ended = outcome.began, outcome.ended
    if began is None or ended is None:
        return ""
    rows = []
    for name, what in (("append-only file", "store"), ("databases", "databases"), ("logs", "logs")):
        grown = getattr(ended, what) - getattr(began, what)
        rows.append(
            (
                name,
                f"{getattr(ended, what) / _MIB:.1f}",
                f"{grown / _KIB / max(1, outcome.actions) * 1000:.0f}",
                f"{grown / _KIB / max(1, outcome.games):.1f}",
            )
        )
    sizes = table(("on the disk", "at the end, MB", "grown by 1,000 actions, KiB", "by game, KiB"), rows)
    rewritten = f"rewritten, the append-only file has {outcome.rewritten / _MIB:.1f} MB"
    return f"{sizes}\n\n{rewritten}; all together had {outcome.peak / _MIB:.0f} MB at the most"
