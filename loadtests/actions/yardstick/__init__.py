"""What Brettwerk is measured against in the same minutes."""
