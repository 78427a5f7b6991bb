"""How much room a disk has, as series of the process that writes to it: a full one is seen before it holds games up."""

import asyncio
import shutil
from pathlib import Path

from services.runtime import metrics

EVERY_S = 5.0
"""How often to check it."""


async def watch(folder: Path, disk: str) -> None:
    """Look again and again at the disk that a folder is on, until cancelled; `disk` (archive) names it."""
    while True:
        await asyncio.to_thread(look, folder, disk)
        await asyncio.sleep(EVERY_S)


def look(folder: Path, disk: str) -> None:
    """Look once. A disk that cannot be asked keeps its figures."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return
    metrics.DISK_FREE.labels(disk).set(usage.free)
    metrics.DISK_SIZE.labels(disk).set(usage.total)
