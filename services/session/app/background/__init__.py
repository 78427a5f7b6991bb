"""The work that a session process does by itself: it ends what is over, archives it, and tells other services of it."""
