"""Why installed games are left out: one broken package must not keep the other games from being played."""

REASON_CHARACTERS = 300
"""The longest reason: an exception may quote anything."""


class Fault(Exception):
    """The faults of a package, as the end of a sentence."""


def reason(error: BaseException) -> str:
    """Return what an error says, on one line."""
    said = " ".join(str(error).split())
    if not isinstance(error, Fault):
        said = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return said if len(said) <= REASON_CHARACTERS else f"{said[:REASON_CHARACTERS]}..."


def sentence(game: str, why: str, package: str = "") -> str:
    """Return the sentence that says why a game is left out."""
    return f"the game {game}{f' of the package {package}' if package else ''} is left out: {why}"
