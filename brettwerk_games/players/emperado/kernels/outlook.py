# cython: boundscheck=False, wraparound=False, cdivision=True
"""The arrays that whoever judges, fights or marches goes by: the world, the countries as they are, and what a Judge finds out."""

from typing import Any


class Outlook:
    """The common parts of kernels of one sheet; all of them see what one of them changes."""

    def __init__(self, sheet: Any, world: Any) -> None:
        """Take the arrays of a sheet and of the world (sheet.py)."""
        self.near, self.begins, self.continent_of, self.bonus = world.near, world.begins, world.continent_of, world.bonus
        self.count, self.continents = world.count, len(world.bonus)
        self.owners, self.armies = sheet.owners, sheet.armies
        self.worth, self.threat, self.want = sheet.worth, sheet.threat, sheet.want
        self.goals, self.holders, self.mu = sheet.goals, sheet.holders, sheet.mu
