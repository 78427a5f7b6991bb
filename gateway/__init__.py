"""The public side of the deployment: PlayService for clients by gRPC, WebSocket and JSON, and the web client.

Every call ends in `calls.Handler`, every stream of calls in `connection.Connection`, every watch in `watches.Watches`; the
endpoints only translate. The gateway holds no rules and no store: it passes on to the session service what it has checked.
"""
