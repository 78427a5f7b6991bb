"""The public side of the deployment: PlayService for clients by gRPC, WebSocket and JSON, and the web client.

Every call ends in `calls.Handler`, every stream of calls in `connection.Connection`, every watch in `watches.Watches`; the
endpoints only translate. The gateway has no rules and no store: it checks calls and passes them on to the session service.
"""
