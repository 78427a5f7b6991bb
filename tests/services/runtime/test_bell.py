"""A bell that wakes processes at rest."""

import socket
import threading
from pathlib import Path

from services.runtime.bell import Bell, path_of, ring

NAME = "tested"


def waiting(bell: Bell) -> threading.Thread:
    thread = threading.Thread(target=bell.wait)
    thread.start()
    return thread


def test_a_ring_wakes_a_waiting_process(tmp_path: Path) -> None:
    with Bell(path_of(tmp_path, NAME)) as bell:
        listener = waiting(bell)
        while listener.is_alive():  # one that comes before the wait is not heard
            ring(tmp_path, NAME)
            listener.join(0.05)


def test_rings_of_before_are_heard_by_nobody_and_do_not_pile_up(tmp_path: Path) -> None:
    with Bell(path_of(tmp_path, NAME)) as bell:
        for _ in range(10_000):
            ring(tmp_path, NAME)
        listener = waiting(bell)
        listener.join(0.5)
        assert listener.is_alive()
        bell.close()
        listener.join(30)
        assert not listener.is_alive()
        bell.wait()  # it stays closed


def test_a_ring_that_nobody_hears_does_nothing(tmp_path: Path) -> None:
    ring(tmp_path, NAME)
    ring("", NAME)
    assert not Path(path_of(tmp_path, NAME)).exists()


def test_a_socket_that_a_killed_starter_has_left_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as left:
        left.bind(path_of(tmp_path, NAME))
    with Bell(path_of(tmp_path, NAME)) as bell:
        listener = waiting(bell)
        while listener.is_alive():
            ring(tmp_path, NAME)
            listener.join(0.05)
