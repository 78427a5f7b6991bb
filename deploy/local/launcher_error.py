"""The exception of the launcher for a request that it cannot fulfil."""


class LauncherError(Exception):
    """A plain sentence for the person at the terminal: what is wrong and what to do about it."""
