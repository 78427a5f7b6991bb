"""The web client in a real browser: how long a move takes to show, what it costs the main thread, and a random user."""
