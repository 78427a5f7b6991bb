"""Messages that are sent without being asked for each time: the updates of a session that is watched, and a player's news."""
