"""The system's figures of a process. Where it has no /proc, nothing is known, and every process is taken for well."""

from pathlib import Path

_PROC = Path("/proc")


def is_stopped(pid: int) -> bool:
    """Return whether a process is stopped by a signal."""
    return _state(pid) == "T"


def is_dead(pid: int) -> bool:
    """Return whether a process is gone, or has ended and nobody has noticed yet."""
    state = _state(pid)
    return state == "Z" or (state == "" and (_PROC / "self").exists())


def _state(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""
