"""Finding opponents: challenges to a player, and pools that pair players of similar strength."""
