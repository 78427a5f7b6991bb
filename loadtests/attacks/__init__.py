"""A written list of attacks by one guest, and what a quiet player notices of each (loadtests/README.md has the table)."""
