"""Drivers that measure Brettwerk through its public endpoints. README.md has the results."""
