"""Well-formed messages with hostile content, in every way into a running system."""
