"""Drivers that measure Brettwerk through its public doors. README.md has the results."""
