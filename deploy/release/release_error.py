"""The exception that ends a release."""


class ReleaseError(Exception):
    """A plain sentence: which step failed, and why or what to do about it."""
