"""What a simulation found, as tables of Markdown and as figures to be kept."""

from typing import Any

from loadtests.simulation.bars import Bar, table
from loadtests.simulation.costs import COMPONENTS, actions_per_game, computer_moves_per_game, costs, thinking
from loadtests.simulation.crowd import Crowd
from loadtests.simulation.parameters import Parameters
from loadtests.simulation.plan import carries, deployments_for
from loadtests.simulation.workers import WorkersDay

SIZES = (1_000.0, 100_000.0, 10_000_000.0)


def plan_tables(parameters: Parameters) -> str:
    """Return what an action costs, what masters and owners carry, and what each size takes."""
    return "\n\n".join((_costs(parameters), _carried(parameters), _sizes(parameters)))


def _costs(parameters: Parameters) -> str:
    rows = [
        (
            component,
            f"{1e6 * cost.saturated:,.0f}",
            f"{1e6 * cost.lone:,.0f}",
            f"{1e6 * cost.at(0.7):,.0f}",
            f"{cost.rate(0.7):,.0f}",
            f"{1 / cost.saturated:,.0f}",
        )
        for component, cost in costs(parameters).items()
        if component in COMPONENTS
    ]
    return table(rows, ("component", "µs at saturation", "alone", "at 70 %", "actions/s a core at 70 %", "at saturation"))


def _carried(parameters: Parameters) -> str:
    masters = (1, 3, 5, 8, 16)
    busy = parameters["owner_busy"]
    rows = []
    for owners in (1, 2, 3, 4, 6, 8, 16):
        full = [carries(parameters, count, owners, 0.7) / actions_per_game(parameters) for count in masters]
        planned = carries(parameters, 3, owners, busy) / actions_per_game(parameters)
        rows.append((str(owners), *(f"{games:,.0f}" for games in full), f"{planned:,.0f}"))
    heads = [f"{count} master{'s' * (count > 1)}" for count in masters]
    return table(rows, ("owners", *heads, f"3 masters, owners {100 * busy:.0f} % busy"))


def _sizes(parameters: Parameters) -> str:
    plans = [deployments_for(parameters, games) for games in SIZES]
    rate, cost = actions_per_game(parameters), costs(parameters)
    thought = computer_moves_per_game(parameters) * thinking(parameters) / parameters["busy_share"]
    gib = parameters["session_kib"] / 1024 / 1024 * (1 + parameters["kept_s"] / parameters["game_s"])
    busy = {
        "session": parameters["owner_busy"],
        "gateway": parameters["gateway_busy"],
        "rules": parameters["rules_busy"],
        "redis": 0.0,
    }

    def cores(component: str, games: float, busy: float) -> str:
        return f"{games * rate * cost[component].at(busy) / busy:,.1f}"

    rows: list[tuple[str, ...]] = [
        ("actions a second", *(f"{games * rate:,.0f}" for games in SIZES)),
        ("deployments", *(f"{count:,}" for count, _ in plans)),
        ("games of each", *(f"{plan.games:,}" for _, plan in plans)),
        ("session pods of each", *(str(plan.owners) for _, plan in plans)),
        ("masters of each; replicas", *(f"{plan.masters}; {plan.masters * parameters['replicas']:.0f}" for _, plan in plans)),
        ("gateway pods of each", *(str(plan.gateways) for _, plan in plans)),
        ("rules pods of each", *(str(plan.rules) for _, plan in plans)),
        ("worker pods of each", *(str(plan.workers) for _, plan in plans)),
        *(
            (f"{component}, cores in all", *(cores(component, games, busy[component]) for games in SIZES))
            for component in ("session", "gateway", "rules")
        ),
        ("Redis, GB in all, without replicas", *(f"{games * gib:,.1f}" for games in SIZES)),
        (
            "gateways, GB in all",
            *(f"{games * parameters['connections'] * parameters['connection_kib'] / 1024**2:,.1f}" for games in SIZES),
        ),
        ("workers, cores in all", *(f"{games * thought:,.0f}" for games in SIZES)),
    ]
    return table(rows, ("concurrent games", *(f"{games:,.0f}" for games in SIZES)))


def crowd_tables(crowd: Crowd) -> str:
    """Return how full each component was, and how long games stood still, by cause."""
    samples = crowd.tally.samples
    rows = []
    for component in samples[0].cores:
        per_pod = crowd.parameters["processes"] if component == "worker" else 1
        used = [sample.cores[component] for sample in samples]
        there = [sample.pods[component] * per_pod for sample in samples]
        share = [mine / max(1.0, all_of) for mine, all_of in zip(used, there, strict=True)]
        rows.append((component, f"{max(used):,.0f}", f"{max(there):,.0f}", f"{min(there):,.0f}", f"{100 * max(share):.0f} %"))
    stalls = [
        (cause, f"{spread.count:,.0f}", *(f"{spread.within(share):.1f}" for share in (0.5, 0.99)), f"{spread.longest:.1f}")
        for cause, spread in sorted(crowd.tally.stalls_by_cause.items())
    ]
    return "\n\n".join(
        (
            table(rows, ("component", "cores in use, most", "cores there, most", "least", "busiest five minutes")),
            table(stalls, ("because of", "games that stopped", "s, half within", "99 in 100", "all")),
        )
    )


def crowd_figures(crowd: Crowd) -> dict[str, Any]:
    """Return everything that one wants to compare later."""
    tally = crowd.tally
    return {
        "deployments": len(crowd.deployments),
        "faults": dict(tally.faults),
        "actions": round(tally.actions),
        "games_begun": round(tally.begun),
        "games_most": round(max(sample.games for sample in tally.samples)),
        "stalled_game_s": round(tally.stalled_s + tally.warming_s),
        "stalls": round(tally.stalls.count),
        "stalls_beyond_10_s": round(tally.stalls.beyond(10)),
        "stalled_at_once": round(max(sample.stalled for sample in tally.samples)),
        "slow_game_s": {component: round(seconds) for component, seconds in tally.slow_s.items()},
        "reconnects": round(tally.reconnects.count),
        "reconnects_longest_s": tally.reconnects.longest,
        "moves": round(tally.moves),
        "moves_shortened": round(tally.shortened),
        "least_granted": round(tally.least_granted, 3),
        "lost": round(tally.lost),
        "lost_when_unprotected": round(tally.lost_when_unprotected),
        "refused": round(tally.refused),
        "busiest_owner": round(max(sample.busiest for sample in tally.samples), 3),
    }


def day_bars(day: WorkersDay) -> list[Bar]:
    """Return what workers have to keep."""
    slots = day.pod_s * day.parameters["processes"] or 1.0
    return [
        Bar(
            "persons wait for a computer to begin, 99 in 100 at most",
            day.waits.within(0.99),
            day.parameters["oldest_wait_s"],
            "s",
        ),
        Bar("persons wait for a computer to begin, all at most", day.waits.longest, 10, "s"),
        Bar("moves that are shortened", day.shortened / (day.moves or 1), 0.01, "%"),
        Bar("moves without thinking", day.unthought, 0, ""),
        Bar("slots that have nothing to do, of the day's", 1 - day.busy_s / slots, 0.5, "%"),
    ]


def day_figures(day: WorkersDay) -> dict[str, Any]:
    """Return everything that one wants to compare later."""
    return {
        "moves": day.moves,
        "person_wait_s": {"p50": day.waits.within(0.5), "p99": day.waits.within(0.99), "most": day.waits.longest},
        "other_wait_s": {
            "p50": day.other_waits.within(0.5),
            "p99": day.other_waits.within(0.99),
            "most": day.other_waits.longest,
        },
        "beyond_1_s": round(day.waits.beyond(1)),
        "shortened": day.shortened,
        "least_granted": round(day.least_granted, 3),
        "unthought": day.unthought,
        "crashes": day.crashes,
        "pods": {"least": min(one.pods for one in day.minutes), "most": max(one.pods for one in day.minutes)},
        "pod_hours": round(day.pod_s / 3600, 1),
        "busy": round(day.busy_s / (day.pod_s * day.parameters["processes"] or 1.0), 3),
    }
