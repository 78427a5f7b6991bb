"""The store's scripts (scripts/*.lua) as they are sent: what each is put together from, and what Redis lets it do."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files

_ALWAYS = " flags=allow-oom"
"""What goes on when Redis has reached its maxmemory: all but new sessions, so that nobody's game stands still for them."""
_READS = " flags=no-writes"
_PARTS = {
    "found": ("", "commit"),
    "reserve": ("", "reserve"),
    "talk": ("", "talk"),
    "conditional": ("", "conditional"),
    **{name: (_ALWAYS, name) for name in ("commit", "claim", "postpone", "retire", "remove", "lease", "members")},
    "read": (_READS, "read"),
    "head": (_READS, "head"),
    "count": (_READS, "count"),
}
"""Flags and files of each script."""


def scripts() -> Mapping[str, tuple[str, str]]:
    """Return the text and the SHA-1 of every script, by name."""
    return {name: _script(*parts) for name, parts in _PARTS.items()}


def _script(flags: str, *parts: str) -> tuple[str, str]:
    folder = files("services.session.store").joinpath("scripts")
    # Redis 7 reads flags in the first line; a script without that line would be let begin, and fail at its first write.
    text = f"#!lua{flags}\n" + "".join(folder.joinpath(f"{part}.lua").read_text(encoding="utf-8") for part in parts)
    return text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
