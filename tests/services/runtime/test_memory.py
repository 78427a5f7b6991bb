"""Memory of large requests goes back to the kernel."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.memory import KEPT_BYTES, give_back

_PROGRAM = """
import gc, os, sys
from services.runtime import memory

def kept_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

if sys.argv[1] == "returned":
    memory.return_large_blocks()
    if sys.argv[2] == "running":
        memory.keep_batches()
before, kept = kept_mb(), []
for size in (1, 2, 4, 8, 16):  # each that is freed lets glibc take those of its size from the heap
    del (large := [b"x" * (size * 2**20)])[0]
    for _ in range(4):
        large.append(b"x" * (size * 2**20))
        kept.append(b"x" * 2**16)  # what stays behind it
    del large
print(kept_mb() - before)
"""


def kept_mb(how: str, when: str = "starting") -> float:
    """Return what a process has more than before once 160 MB are freed."""
    command = [sys.executable, "-c", _PROGRAM, how, when]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries return memory in their own ways")
def test_large_blocks_go_back_to_the_kernel() -> None:
    assert kept_mb("returned") < 2
    assert kept_mb("returned", "running") < 2 + KEPT_BYTES / 2**20
    assert kept_mb("as it comes") > 3


_BATCHES = """
import resource
from services.runtime import memory

memory.return_large_blocks()
memory.keep_batches()
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(2):
    before = faults()
    for _ in range(1000):
        b"".join([b"x" * 200_000, b"y" * 100_000])
print(faults() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries return memory in their own ways")
def test_batches_of_actions_take_no_pages_from_the_kernel_each_time() -> None:
    found = subprocess.run([sys.executable, "-c", _BATCHES], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 1000


def anonymous_mb() -> int:
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) // 1024


def test_memory_that_was_freed_below_what_is_still_used_goes_back() -> None:
    blocks = [bytearray(3000) for _ in range(40_000)]
    top = bytearray(3000)  # without it the C library would give back what is at the end of its heap
    full = anonymous_mb()
    del blocks
    give_back()
    assert anonymous_mb() < full - 60
    assert len(top) == 3000
