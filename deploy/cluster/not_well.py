"""The exception for a node, or a part of it, that is not as it should be."""


class NotWell(Exception):
    """Everything is there, and yet it did not work, or not in time; the message says what."""
