"""The signal that interrupts a search: what it does to a process that has one, and to one that has none."""

import os
import signal

import billiard.pool
import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from celery import Celery

from services.ai import interrupting


def test_a_process_that_waits_for_a_request_outlives_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(billiard.pool, "soft_timeout_sighandler", billiard.pool.soft_timeout_sighandler)
    interrupting.install()
    pool = billiard.pool.Pool(1, threads=True)
    try:
        first = pool.apply_async(os.getpid).get(timeout=60)
        os.kill(first, signal.SIGUSR1)
        assert pool.apply_async(os.getpid).get(timeout=60) == first
    finally:
        pool.terminate()
        pool.join()


def test_a_search_is_interrupted() -> None:
    app = Celery("test", set_as_current=False)

    @app.task(name="move")
    def search() -> None:
        interrupting.interrupt(signal.SIGUSR1, None)

    interrupting.interrupt(signal.SIGUSR1, None)
    with pytest.raises(SoftTimeLimitExceeded):
        search.apply(throw=True)
