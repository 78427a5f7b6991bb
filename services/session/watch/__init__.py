"""Watchers: every version once and in order, or an explicit new beginning; who is connected, and who is waited for."""
