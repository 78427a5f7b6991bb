"""How much a caller may ask for: connections, calls, and what a stream sends."""
