"""The services of Brettwerk. Imports point one way: session -> rules -> games, ai -> games; runtime imports none of them.

The games are in the package `brettwerk_games`. Those that others have installed may import them by their former names.
"""

from services.former_names import understand

understand()
