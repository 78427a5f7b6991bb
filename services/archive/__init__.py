"""Finished games, permanently: records and what is needed to list them, in SQL (SQLite by default, PostgreSQL by URL).

`archive.Archive` is what others call; `entry.py` says what goes in and what a list shows, `statistics_feed.py` counts it for
statistics. It knows no game and reads no record.
"""
