"""What finished games came to for those who sat there, and for which ratings they count."""
