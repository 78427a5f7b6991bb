"""Runs the session service: `python -m services.session`."""

from services.runtime.server import run
from services.runtime.settings import settings
from services.session.app.service import SessionProcess


def main() -> None:
    """Run it until SIGTERM."""
    config = settings()
    run(SessionProcess(config), config.listen or config.session_address)


if __name__ == "__main__":
    main()
