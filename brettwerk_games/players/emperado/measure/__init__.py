"""Measures the player; docs/emperado-statistics.md has the results and the commands."""
