"""How much space a disk has, as series of the process that writes to it, so that a full one is noticed before it stops games."""

import asyncio
import shutil
from pathlib import Path

from services.runtime import metrics

EVERY_S = 5.0
"""How often to check it."""


async def watch(folder: Path, disk: str) -> None:
    """Keep checking the disk that a folder is on, until cancelled; `disk` (archive) names it."""
    while True:
        await asyncio.to_thread(look, folder, disk)
        await asyncio.sleep(EVERY_S)


def look(folder: Path, disk: str) -> None:
    """Check once. A disk that cannot be queried keeps its figures."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return
    metrics.DISK_FREE.labels(disk).set(usage.free)
    metrics.DISK_SIZE.labels(disk).set(usage.total)
