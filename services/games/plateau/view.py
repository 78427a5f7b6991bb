"""What the seats may know: everything, since nothing in this game is hidden."""

from services.games.plateau.actions import Event
from services.games.plateau.position import Position, View


def view(position: Position, seat: int | None) -> View:
    """Return the position with the name of who looks at it."""
    return View(position, seat)


def show(event: Event, seat: int | None) -> Event | None:
    """Return the event: everybody sees it."""
    return event


def sample(view: View, seed: bytes) -> Position:
    """Return the only position that fits the view."""
    return view.position
