"""Live sessions: who sits where, what was played, whose clock runs, and what must happen next.

A functional core with its effects at the edge. Each package knows only those before it, and the core knows nothing of the
outside:

`domain/` the core: what a session is, which entries a call makes, and what every seat may see;
`store/` sessions in Redis; `live/` sessions that are being played; `computers/` computer players; `watch/` watchers;
`app/` the process.
"""
