"""gRPC over HTTP/2 in asyncio."""
