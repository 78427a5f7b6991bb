"""Notifications: news told to players while no page of theirs is open, by Web Push and by mail."""
