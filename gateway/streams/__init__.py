"""Connections that carry many calls at once, and the queue of what is to be sent on each."""
