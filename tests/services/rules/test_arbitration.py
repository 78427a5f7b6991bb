"""Forged rulings in a record are found."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from brettwerk.v1 import games_pb2, record_pb2
from services.rules.arbitration import Arbitration
from services.runtime.refusal import Refused

RUTH = record_pb2.Person(player_id="ruth", name="Ruth")
CREATED = record_pb2.Created(arbiters=[RUTH])


def ruled(**ruling: Any) -> record_pb2.ArbiterActed:
    return record_pb2.ArbiterActed(arbiter=RUTH, ruling=record_pb2.Ruling(**{"reason": "Noise", **ruling}))


def acted(ruling: bool = True, **action: Any) -> record_pb2.Acted:
    cause = record_pb2.Acted.CAUSE_ARBITER if ruling else record_pb2.Acted.CAUSE_UNSPECIFIED
    return record_pb2.Acted(ply=record_pb2.Ply(system_action=games_pb2.SystemAction(**action)), cause=cause)


def begun() -> Arbitration:
    arbitration = Arbitration()
    arbitration.create(CREATED)
    return arbitration


def test_rulings_are_repeated() -> None:
    arbitration = begun()
    assert arbitration.rule(ruled(pause=True), is_paused=False)
    assert not arbitration.rule(ruled(pause=False), is_paused=True)
    assert arbitration.rule(ruled(given_time=record_pb2.GivenTime(seat=1, time_ms=1000)), is_paused=True)
    arbitration.rule(ruled(ranking=record_pb2.Ranking(seats=[2, 0, 1])), is_paused=False)
    arbitration.require("acted")
    assert arbitration.check_acted(acted(resign=1))
    assert arbitration.check_acted(acted(resign=0))
    arbitration.rule(ruled(draw=True), is_paused=False)
    assert arbitration.check_acted(acted(draw=True))
    assert not arbitration.check_acted(acted(ruling=False, resign=0))
    arbitration.end()


def test_arbiters_come_before_the_start_and_go_at_any_time() -> None:
    arbitration = begun()
    cleo = record_pb2.Person(player_id="cleo", name="Cleo")
    arbitration.name(record_pb2.ArbiterNamed(arbiter=cleo), has_started=False)
    arbitration.name(record_pb2.ArbiterNamed(arbiter=RUTH, withdrawn=True), has_started=True)
    with pytest.raises(Refused):
        arbitration.rule(ruled(pause=True), is_paused=False)
    for named in (record_pb2.ArbiterNamed(arbiter=RUTH), record_pb2.ArbiterNamed(arbiter=cleo), record_pb2.ArbiterNamed()):
        with pytest.raises(Refused):
            arbitration.name(named, has_started=True)


FORGERIES: dict[str, Callable[[Arbitration], list[Callable[[], object]]]] = {
    "a player rules": lambda a: [
        partial(
            a.rule,
            record_pb2.ArbiterActed(arbiter=record_pb2.Person(player_id="ada"), ruling=ruled(pause=True).ruling),
            is_paused=False,
        )
    ],
    "no reason": lambda a: [partial(a.rule, ruled(reason="", pause=True), is_paused=False)],
    "nothing ruled": lambda a: [partial(a.rule, ruled(), is_paused=False)],
    "stopped twice": lambda a: [partial(a.rule, ruled(pause=True), is_paused=paused) for paused in (False, True)],
    "restarted while it is played": lambda a: [partial(a.rule, ruled(pause=False), is_paused=False)],
    "players restart it": lambda a: [
        partial(a.rule, ruled(pause=True), is_paused=False),
        partial(a.check_paused, record_pb2.Paused(paused=False)),
    ],
    "another seat forfeits": lambda a: [_forfeits(a), partial(a.check_acted, acted(resign=1))],
    "a seat forfeits twice": lambda a: [_forfeits(a), *[partial(a.check_acted, acted(resign=0))] * 2],
    "a forfeit without a ruling": lambda a: [partial(a.check_acted, acted(resign=0))],
    "a draw in place of a forfeit": lambda a: [_forfeits(a), partial(a.check_acted, acted(draw=True))],
    "time is up by a ruling": lambda a: [_forfeits(a), partial(a.check_acted, acted(flag=0))],
    "something else comes first": lambda a: [_forfeits(a), partial(a.require, "proposed")],
    "an action comes first": lambda a: [_forfeits(a), partial(a.check_acted, acted(ruling=False, resign=0))],
    "a ruling is not carried out": lambda a: [_forfeits(a), a.end],
    "a rest of the order comes later": lambda a: [
        partial(a.rule, ruled(ranking=record_pb2.Ranking(seats=[2, 0, 1])), is_paused=False),
        partial(a.check_acted, acted(resign=1)),
        partial(a.check_acted, acted(ruling=False, resign=2)),
        partial(a.check_acted, acted(resign=0)),
    ],
}


def _forfeits(arbitration: Arbitration) -> Callable[[], object]:
    return partial(arbitration.rule, ruled(forfeited_seat=0), is_paused=False)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_ruling_is_found(forgery: str) -> None:
    *before, last = FORGERIES[forgery](begun())
    for step in before:
        step()
    with pytest.raises(Refused):
        last()
