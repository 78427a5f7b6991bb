"""The results of finished games for those who sat there, and for which ratings they count."""
