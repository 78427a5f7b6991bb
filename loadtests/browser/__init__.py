"""The web client in a real browser: what an action costs the main thread, pages on a slow phone, and a random user."""
