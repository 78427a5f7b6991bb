"""People, players against computers, and watchers, through either endpoint."""
