"""Runs the session service: `python -m services.session`."""

from services.runtime.server import run
from services.runtime.settings import settings
from services.session.app.service import SessionProcess


def main() -> None:
    """Run it until SIGTERM."""
    config = settings()
    links = config.link_listen or config.session_link_address
    run(lambda: SessionProcess(config), config.listen or config.session_address, links)


if __name__ == "__main__":
    main()
