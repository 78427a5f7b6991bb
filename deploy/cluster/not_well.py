"""What is raised when the node or what runs on it is not as it should be."""


class NotWell(Exception):
    """Everything is there, and yet it did not work, or not in time; the message says what."""
