"""WebSockets: how a request becomes one, its frames, and the JSON form of the stream."""
