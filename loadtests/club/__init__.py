"""A club over a simulated year: people who play, are told, and are counted from outside."""
