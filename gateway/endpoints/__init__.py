"""Where clients come in: gRPC, Connect, JSON, pages and files."""
