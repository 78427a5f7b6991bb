"""The way of a call, through whichever endpoint it came: it is checked, passed to its service, and answered or refused."""
