"""How Brettwerk is brought to life: `local/` on one machine."""
