"""Where everybody who plays can be made to stop before the next action."""

import threading


class Gate:
    """Open at first. Threads share it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_open = True
        self._waiting = 0

    def enter(self) -> None:
        """Return when the gate is open."""
        with self._changed:
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_open)
            self._waiting -= 1

    def shut(self, people: int, within_s: float) -> bool:
        """Let nobody in from now on; return whether so many people came to wait at it in time, and so do nothing."""
        with self._changed:
            self._is_open = False
            return self._changed.wait_for(lambda: self._waiting == people, within_s)

    def open(self) -> None:
        """Let everybody in."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()
