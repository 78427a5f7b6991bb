"""Which version this is."""

VERSION = "1.0.0"
CONTRACT = "1.2"
"""Of the contract for clients: `v1` of its package, and how often something has been added to that (docs/contract.md)."""
