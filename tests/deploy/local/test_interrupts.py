"""A signal ends the launcher, whatever its main thread is doing."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.deploy.local.test_process_supervisor import until
from tests.deploy.tools import ROOT

PROGRAM = """
import ctypes, gc, os, signal, subprocess, sys, time
from deploy.local.interrupts import Interrupts
interrupts = Interrupts(end_s=float(sys.argv[2]))
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
interrupts.pids = lambda: [child.pid]

class Finalized:
    def __del__(self):
        print("ready", child.pid, flush=True)
        while not interrupts._has_come:
            time.sleep(0.01)

def in_a_finalizer():
    Finalized()

def in_foreign_code():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # another thread hears it, and the main thread stays in there
    ctypes.CDLL(None).system(f"echo ready {child.pid}; exec sleep 600".encode())

def in_an_end_that_hangs():
    try:
        print("ready", child.pid, flush=True)
        interrupts.wait()
    except KeyboardInterrupt:
        print("ending", flush=True)
        time.sleep(600)

def elsewhere():
    print("ready", child.pid, flush=True)

try:
    globals()[sys.argv[1]]()
    interrupts.wait()
except KeyboardInterrupt:
    child.kill()
    print("in order")
"""


class Program:
    def __init__(self, where: str, end_s: float = 60.0) -> None:
        command = [sys.executable, "-c", PROGRAM, where, str(end_s)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        assert self.process.stdout
        self.child = int(self.process.stdout.readline().split()[1])

    def ended(self, within_s: float) -> tuple[int, str]:
        """Return the exit code, and what was said since."""
        assert self.process.stdout
        try:
            self.process.wait(within_s)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # what foreign code has started
        with self.process.stdout:
            said = self.process.stdout.read()
        until(lambda: not Path(f"/proc/{self.child}").exists() or "Z" in Path(f"/proc/{self.child}/stat").read_text())
        return self.process.returncode, said


@pytest.mark.parametrize("where", ["elsewhere", "in_a_finalizer"])
def test_the_first_signal_ends_it_in_order_even_if_python_drops_the_interrupt(where: str) -> None:
    program = Program(where)
    program.process.terminate()
    assert program.ended(20) == (0, "in order\n")


@pytest.mark.parametrize("where", ["in_foreign_code", "in_an_end_that_hangs"])
def test_an_end_that_takes_too_long_is_cut_short_and_nothing_is_left(where: str) -> None:
    program = Program(where, end_s=0.5)
    program.process.terminate()
    code, said = program.ended(20)
    assert code == 130
    assert "in order" not in said


def test_a_second_signal_ends_it_at_once() -> None:
    program = Program("in_an_end_that_hangs")
    program.process.terminate()
    assert program.process.stdout
    assert program.process.stdout.readline() == "ending\n"
    began = time.monotonic()
    os.kill(program.process.pid, signal.SIGINT)
    assert program.ended(20)[0] == 130
    assert time.monotonic() - began < 20
