"""The cost and the capacity of the wire itself: how long a packet takes there and back, how many get through in a second.

python -m loadtests.machines.gauge echo ADDRESS       # at one host, until its standard input ends
python -m loadtests.machines.gauge ask ADDRESS        # at another; prints the figures as JSON
"""

import json
import select
import socket
import statistics
import subprocess
import sys
import time
from typing import Any

from deploy.local.options import ROOT
from loadtests.machines.namespaces import Namespace

_PORT = 7
_PINGS, _EVERY_S, _WAIT_S = 300, 0.01, 1.0
_FLOOD_S, _PACKET_BYTES = 2.0, 500
_PING, _FLOOD, _TELL = b"p", b"f", b"t"


def measure(asking: Namespace, answering: Namespace, address: str) -> dict[str, Any]:
    """Return the figures between two hosts."""
    module = [sys.executable, "-m", "loadtests.machines.gauge"]
    echo = answering.do(lambda: subprocess.Popen([*module, "echo", address], stdin=subprocess.PIPE, cwd=ROOT))  # noqa: S603
    try:
        said = asking.do(lambda: subprocess.run([*module, "ask", address], capture_output=True, text=True, check=True, cwd=ROOT))  # noqa: S603
    finally:
        assert echo.stdin is not None
        echo.stdin.close()
        echo.wait(10)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def _echo(address: str) -> None:
    """Answer pings at once, and count what comes in a flood."""
    flooded = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
        here.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
        here.bind((address, _PORT))
        while True:
            ready, _, _ = select.select([here, sys.stdin], [], [])
            if here not in ready:
                return
            data, caller = here.recvfrom(2048)
            if data.startswith(_FLOOD):
                flooded += 1
            else:
                here.sendto(str(flooded).encode() if data == _TELL else data, caller)


def _ask(address: str) -> dict[str, Any]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
        here.connect((address, _PORT))
        here.settimeout(_WAIT_S)
        _reach(here)
        took_ms, lost = [], 0
        for number in range(_PINGS):
            began = time.perf_counter()
            here.send(_PING + str(number).encode())
            try:
                while here.recv(2048) != _PING + str(number).encode():
                    pass  # an answer that came too late
            except TimeoutError:
                lost += 1
            else:
                took_ms.append(1000 * (time.perf_counter() - began))
            time.sleep(_EVERY_S)
        sent, until = 0, time.perf_counter() + _FLOOD_S
        packet = _FLOOD * _PACKET_BYTES
        while time.perf_counter() < until:
            here.send(packet)
            sent += 1
        time.sleep(_WAIT_S)
        came = int(_reach(here))
    quantiles = statistics.quantiles(took_ms, n=100)
    return {
        "there_and_back_ms": {"least": min(took_ms), "median": statistics.median(took_ms), "p99": quantiles[98]},
        "lost_of_pings": lost / _PINGS,
        "packets_a_second": came / _FLOOD_S,
        "sent_a_second": sent / _FLOOD_S,
    }


def _reach(here: socket.socket) -> bytes:
    """Return how many packets of a flood have come, once the other end answers."""
    for _ in range(100):
        try:
            here.send(_TELL)
            while (said := here.recv(2048)).startswith(_PING):
                pass
        except (TimeoutError, ConnectionRefusedError):
            time.sleep(0.05)
        else:
            return said
    raise TimeoutError("the other end does not answer")


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        _echo(sys.argv[2])
    else:
        print(json.dumps(_ask(sys.argv[2])))
