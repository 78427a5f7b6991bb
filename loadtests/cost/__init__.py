"""The cost of things: CPU, memory and sizes of one part at a time; README.md has the results."""
