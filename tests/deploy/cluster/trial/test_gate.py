"""Everybody who plays can be made to stop."""

import threading

from deploy.cluster.trial.gate import Gate

LONG_S = 60.0


def test_an_open_gate_holds_nobody_up() -> None:
    Gate().enter()


def test_a_shut_gate_is_waited_at_until_it_is_opened() -> None:
    gate, through = Gate(), threading.Semaphore(0)

    def come() -> None:
        gate.enter()
        through.release()

    assert gate.shut(0, LONG_S)
    people = [threading.Thread(target=come, daemon=True) for _ in range(2)]
    for person in people:
        person.start()
    assert gate.shut(2, LONG_S), "both are there, and wait"
    assert not through.acquire(blocking=False)
    gate.open()
    for person in people:
        person.join(LONG_S)
        assert through.acquire(blocking=False)


def test_a_pod_late_at_the_gate_is_missed() -> None:
    assert not Gate().shut(1, 0.01)
