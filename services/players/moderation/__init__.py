"""Moderation: roles, reports, what is done about them, and the log of that."""
