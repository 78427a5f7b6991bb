"""Accounts: how a guest keeps who they are, and comes back on another device."""
