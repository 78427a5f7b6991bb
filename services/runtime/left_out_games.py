"""Says of installed games that they are left out: in the log, and in a series that an alert looks at."""

from collections.abc import Mapping

from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)


def report(left_out: Mapping[str, str]) -> None:
    """Log each sentence of `left_out`, by game, and show in a series that the game is missing. To be called once in a process."""
    for game, said in left_out.items():
        metrics.GAMES_LEFT_OUT.labels(game).set(1)
        log.error(said, game=game)
