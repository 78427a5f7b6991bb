"""The data folder: games, archive, key and logs of one deployment, used by one launcher at a time."""

import contextlib
import fcntl
import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from deploy.local.launcher_error import LauncherError
from services.runtime.server_socket import PATH_BYTES

UMASK = 0o077
"""Of the launcher and everything that it starts: what is in the folder is for its owner only."""
BACKUP_MARKER = "last_backup"
"""The file in the folder whose time of change says when a backup last succeeded."""
LONGEST_SOCKET = "bell.statistics"
"""The longest name of a socket in the folder."""


@contextlib.contextmanager
def folder_for_sockets(longest: str) -> Iterator[Path]:
    """Yield a temporary folder for Unix sockets with names of at most that length: in /tmp where TMPDIR leads too deep."""
    deep = len(os.fsencode(Path(tempfile.gettempdir(), "brettwerk-12345678", longest))) > PATH_BYTES
    with tempfile.TemporaryDirectory(prefix="brettwerk-", dir="/tmp" if deep else None, ignore_cleanup_errors=True) as made:  # noqa: S108
        yield Path(made)


class DataFolder:
    """A locked data folder. The lock ends when every process that holds `lock` has ended, however it ended."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.logs = self.path / "logs"
        self.redis = self.path / "redis"
        self.run = self.path / "run"
        self.sockets = self.run
        """Where the processes' Unix sockets are: in a temporary folder when the paths here would be too long for any."""
        self.archive_url = f"sqlite:///{self.path / 'archive.sqlite3'}"
        self.players_url = f"sqlite:///{self.path / 'players.sqlite3'}"
        self._elsewhere = contextlib.ExitStack()
        self.lock = -1
        self.warnings: list[str] = []
        """Sentences for whoever runs it: others could read or write the folder."""

    def __enter__(self) -> Self:
        """Make the folder where it is missing and lock it. Raises LauncherError when another launcher uses it."""
        try:
            for folder in (self.path, self.logs, self.redis, self.run):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LauncherError(f"the data folder {self.path} cannot be used: {error.strerror}") from error
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(self.lock, 20).decode(errors="replace").strip()
            self.close()
            raise LauncherError(
                f"the data folder {self.path} is in use by another Brettwerk (process {owner or 'unknown'}); "
                "stop that one, or choose another folder with --data"
            ) from None
        if len(os.fsencode(self.run / LONGEST_SOCKET)) > PATH_BYTES:
            self.sockets = self._elsewhere.enter_context(folder_for_sockets(LONGEST_SOCKET))
        self._keep_others_out()
        os.ftruncate(self.lock, 0)
        os.pwrite(self.lock, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(self, *_exception: object) -> None:
        """Give the folder free."""
        self.close()

    def close(self) -> None:
        """Give the folder free."""
        if self.lock >= 0:
            self._elsewhere.close()
            self.sockets = self.run
            os.close(self.lock)
            self.lock = -1

    def _keep_others_out(self) -> None:
        """Take from others on this machine what they may do with the folder and what is in it; `warnings` says so."""
        mode = stat.S_IMODE(self.path.stat().st_mode)
        open_, kept_open = [], []
        for path in (self.path, *sorted(self.path.rglob("*"))):
            with contextlib.suppress(FileNotFoundError):
                if path.is_symlink() or not path.stat().st_mode & UMASK:
                    continue
                open_.append(path)
                with contextlib.suppress(PermissionError):
                    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~UMASK)
                if path.stat().st_mode & UMASK:  # it is somebody else's, or its file system knows no modes
                    kept_open.append(path)
        if not mode & UMASK or not open_:
            return  # nobody could come as far as to what is in it
        what = "write" if mode & 0o022 else "read"
        if kept_open:
            self.warnings.append(
                f"others on this machine may {what} the data folder {self.path} (mode {mode:04o}), which has accounts, mail "
                f"addresses and keys, and the mode of {kept_open[0]} cannot be changed: choose another folder with --data"
            )
        else:
            self.warnings.append(
                f"others on this machine could {what} the data folder {self.path} (mode {mode:04o}); "
                f"now only its owner can, and the {len(open_) - 1} files and folders in it that were open"
            )

    def secret_key(self) -> str:
        """Return the key that tokens, tickets and saves of this deployment rest on; it is made once.

        Raises LauncherError for a file that holds no key, OSError for one that cannot be read.
        """
        file = self.path / "secret_key"
        if not file.exists():
            fresh = file.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as writer:
                writer.write(secrets.token_urlsafe(48) + "\n")
                writer.flush()
                os.fsync(writer.fileno())
            fresh.rename(file)
        key = file.read_text().strip()
        if len(key) < 32 or not key.isprintable():
            raise LauncherError(
                f"{file} holds no key of 32 characters or more; restore it from a backup, or remove it for a new one"
            )
        return key


def redis_password(secret_key: str) -> str:
    """Return the password of the deployment's own Redis: other users of the machine reach its port, too."""
    return hmac.new(secret_key.encode(), b"brettwerk redis", hashlib.sha256).hexdigest()


def push_key(secret_key: str) -> str:
    """Return the key of push messages: browsers subscribe for it, so it has to stay as long as the data folder does."""
    return hmac.new(secret_key.encode(), b"brettwerk push messages", hashlib.sha256).hexdigest()


def operator_key(secret_key: str) -> str:
    """Return the key of the page for operators."""
    return hmac.new(secret_key.encode(), b"brettwerk operator", hashlib.sha256).hexdigest()


def inner_key(secret_key: str) -> str:
    """Return the key of calls between the services: the one that a process with the secret key makes for itself."""
    return hmac.new(secret_key.encode(), b"brettwerk inner calls", hashlib.sha256).hexdigest()
