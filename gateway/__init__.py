"""The street side of the house: PlayService for clients by gRPC, WebSocket and JSON, and the web client.

Every call ends in `calls.Desk`, every stream of calls in `conversation.Conversation`, every watch in `watches.Watches`; the
doors only translate. The gateway holds no rules and no store: it passes on to the session service what it has checked.
"""
