"""The schema's history, one file a step, oldest first by number. New steps only add; see schema.py."""
