"""Ports that a deployment has chosen and may not listen on yet: no other deployment of this user chooses them meanwhile."""

import fcntl
import os
import tempfile
import weakref
from pathlib import Path

from deploy.local.launcher_error import LauncherError


class Claims:
    """Claimed ports: locks that end with this object, or with the process in whatever way it ends.

    Between checking that a port is free and a process listening there, seconds pass, in which a second deployment
    that looks finds it free, too.
    """

    def __init__(self, name: str = "brettwerk-ports") -> None:
        """Claim them against all whose locks are in the folder of this name, which is in that for temporary files."""
        self._name = name
        self._locks: list[int] = []
        weakref.finalize(self, _let_go, self._locks)

    def take(self, port: int) -> bool:
        """Claim a port; return False when somebody has claimed it. Raises LauncherError when no locks can be kept."""
        path = folder(self._name) / str(port)
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise LauncherError(f"{path} cannot be written ({error.strerror}); choose another folder with TMPDIR") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        self._locks.append(lock)
        return True

    def give_back(self) -> None:
        """Let go of the port that was claimed last."""
        os.close(self._locks.pop())


def folder(name: str) -> Path:
    """Return where the locks are: empty files, which stay. Raises LauncherError when it is somebody else's."""
    found = Path(tempfile.gettempdir()) / f"{name}-{os.getuid()}"
    try:
        found.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise LauncherError(f"{found} cannot be made ({error.strerror}); choose another folder with TMPDIR") from None
    if found.is_symlink() or found.stat().st_uid != os.getuid():
        raise LauncherError(f"{found} is not ours; choose another folder with TMPDIR")
    return found


def _let_go(locks: list[int]) -> None:
    for lock in locks:
        os.close(lock)
