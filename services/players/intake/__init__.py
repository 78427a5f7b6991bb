"""The queue of finished games: what a game gives to those who played it is worked out there, outside of every call."""
