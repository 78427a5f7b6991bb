"""The exception for a node that cannot be had here."""


class Unavailable(Exception):
    """Something that the node or the trial needs is not on this machine, and cannot be had; the message says what."""
