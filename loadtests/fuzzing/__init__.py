"""Well-formed messages with things that a player really has, sent to a running system: what must never be more than refused."""
