"""Measures the player; docs/wec-player.md has the results and the commands."""
