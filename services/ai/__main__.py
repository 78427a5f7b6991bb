"""Runs the AI service: `python -m services.ai`."""

from services.ai.service import AiService
from services.runtime.server import run
from services.runtime.settings import settings


def main() -> None:
    """Run it until SIGTERM."""
    config = settings()
    run(lambda: AiService(config), config.listen or config.ai_address)


if __name__ == "__main__":
    main()
