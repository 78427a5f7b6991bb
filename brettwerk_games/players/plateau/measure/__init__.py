"""Measures the player; docs/plateau-player.md has the results and the commands."""
