"""The contract's messages as bytes and as JSON, read, written, framed and compressed, large ones in processes of their own."""
