"""News: what concerns a player at any table, kept for a while and told to whoever follows them."""
