"""Clubs: who belongs to one, with which role, and what its members show and tell each other."""
