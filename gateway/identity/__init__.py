"""The identity of callers: addresses, guests and accounts, tokens with their scopes and how they are revoked."""
