"""Process 1 of a namespace of its own, as in a container."""

import os
import subprocess
import sys

from deploy.local.first_process import leave_first_place
from tests.surroundings import lacking

ORPHAN = "import os, time\nif not os.fork():\n    os.fork()\n    os._exit(0)\nos.wait()\n"
"""Leaves a process that ends after the one that started it."""


def said_in_first_place(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program after it has left the first place, and return what became of process 1."""
    whole = f"from deploy.local.first_process import leave_first_place\nleave_first_place()\n{program}"
    command = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c", whole]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "unshare failed" in done.stderr:
        lacking("no namespaces may be made on this machine", "in a container: --cap-add SYS_ADMIN", optional=True)
    return done


def test_it_ends_as_the_program_does_which_is_another_process() -> None:
    done = said_in_first_place("import os, sys\nprint(os.getpid())\nsys.exit(3)")
    assert (done.stdout, done.returncode) == ("2\n", 3)


def test_signals_reach_the_program() -> None:
    hears = "import os, signal, time\nsignal.signal(signal.SIGTERM, lambda *_: os._exit(5))\n"
    assert said_in_first_place(f"{hears}os.kill(1, signal.SIGTERM)\ntime.sleep(60)").returncode == 5


def test_a_program_that_does_not_listen_ends_of_a_signal() -> None:
    assert said_in_first_place("import os, signal, time\nos.kill(1, signal.SIGTERM)\ntime.sleep(60)").returncode == 128 + 15


def test_orphans_are_buried() -> None:
    others = "any(name.isdigit() and int(name) > 2 for name in os.listdir('/proc'))"
    assert said_in_first_place(f"{ORPHAN}while {others}: time.sleep(0.01)").returncode == 0


def test_elsewhere_a_process_stays_what_it_is() -> None:
    process = os.getpid()
    leave_first_place()
    assert os.getpid() == process
