"""What the launcher says when it cannot do what was asked."""


class LauncherError(Exception):
    """A plain sentence for the person at the terminal: what is wrong and what to do about it."""
