"""Bots that players own, and the API tokens with which programs call."""
