"""News: what concerns a player at any table, kept for a while and sent to whoever follows it."""
