"""Measures computer players of any game among themselves; games whose player has more to measure have a package like this one."""
