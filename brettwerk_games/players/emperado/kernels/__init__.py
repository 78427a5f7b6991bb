"""The inner loops: what a position is worth, attacks and the plan for placing, moves, and whole games for statistics."""
