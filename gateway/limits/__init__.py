"""How much a caller may ask for: connections, calls, what arrives, and what a stream sends."""
