"""The public side of the deployment: PlayService for clients by gRPC, WebSocket and JSON, and the web client.

`endpoints/` only translate: every call ends in `calls/handler.py`, every stream of calls in `streams/connection.py`, every watch
in `watches/`. `identity/` says who calls, `limits/` how much they may ask for; `messages/` reads and writes the contract. The
gateway has no rules and no store: it checks calls and passes them on to services.
"""
