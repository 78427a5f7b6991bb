"""What a call does, whichever endpoint it came by: it is checked, passed to its service, and answered or refused."""
