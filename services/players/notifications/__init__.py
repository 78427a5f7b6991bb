"""Notifications: news for players while none of their pages is open, by Web Push and by mail."""
