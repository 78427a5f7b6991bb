"""Shows operators reports from the archive: `python -m services.archive reports`, with the session service's settings."""

import argparse
import asyncio
import json
from dataclasses import asdict

from services.archive.archive import Archive
from services.archive.talk_reports import REPORTS, TalkReports
from services.runtime.settings import settings


def main() -> None:
    """Print what players have reported about others' talk, newest first: one JSON object per line."""
    parser = argparse.ArgumentParser(prog="services.archive", description=__doc__)
    parser.add_argument("what", choices=["reports"], help="what players reported of what others said at tables")
    parser.add_argument("--count", type=int, default=100, help="how many, of the newest (default: 100)")
    count = max(1, min(REPORTS, parser.parse_args().count))
    archive = Archive.open(settings().database_url)
    try:
        archive.wait()
        for report in asyncio.run(TalkReports(archive).list(count)):
            print(json.dumps(asdict(report), ensure_ascii=False))
    finally:
        archive.close()


if __name__ == "__main__":
    main()
