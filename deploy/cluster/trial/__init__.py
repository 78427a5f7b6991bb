"""The chart on a node: installed, scaled, rolled, killed, evicted, upgraded and rolled back, while games go on through it."""
