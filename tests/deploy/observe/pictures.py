"""Takes the pictures of the dashboards in docs/pictures: `python -m tests.deploy.observe.pictures [folder] [--minutes N]`.

A real Grafana shows a deployment in which people play, and in which a worker, a session process and a Redis die half way.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from deploy.local import chromium
from deploy.observe.dashboards import BOARDS
from tests.deploy.observe.grafana import Grafana
from tests.deploy.observe.system import observed

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"


def main(arguments: Sequence[str] | None = None) -> None:
    """Let games go on, and write a picture of each dashboard."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.observe.pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--minutes", type=int, default=10, help="how long games have gone on (default: %(default)s)")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as name,
        observed(Path(name)) as (deployment, _),
        Grafana(Path(name) / "grafana", deployment.prometheus_address) as shown,
        sync_playwright() as playwright,
    ):
        time.sleep(args.minutes * 30)  # curves take their time
        for process in ("worker", "session", "redis"):
            deployment.kill(process)
            deployment.wait(process)
        time.sleep(args.minutes * 30)  # as above
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        for board in BOARDS:
            path = args.folder / f"dashboard-{board.title.partition(': ')[2].replace(' ', '-').lower()}.png"
            seen = shown.look(browser, board, path, minutes=args.minutes)
            print(f"{path}: {path.stat().st_size // 1024} KB, without data: {seen.empty}, wrong: {seen.errors}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
