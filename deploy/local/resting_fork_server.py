"""A fork server while it is idle: `resting_fork_server.py CHANNEL PID:DESCRIPTOR,... COMMAND...`.

Each page that a service has written to is one more that its fork server has alone, 23 MB in all, and only a new process would
have a use for them. So after a while it becomes this program (execve(2)), and the command again when it is asked. For the kernel
it stays the same process: what it has forked lives on, and its ends are told here meanwhile.
"""

import os
import select
import signal
import struct
import sys

NUMBER = struct.Struct("i")


def report_ends(reports: dict[int, int]) -> None:
    """Say the exit code of each process that has ended at its descriptor, and forget both."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        report = reports.pop(pid)
        try:  # noqa: SIM105 - contextlib would be most of what this program imports
            os.write(report, NUMBER.pack(os.waitstatus_to_exitcode(status)))
        except OSError:  # nobody waits for it
            pass
        os.close(report)


def written(reports: dict[int, int]) -> str:
    """Return the processes and their descriptors as an argument."""
    return ",".join(f"{pid}:{descriptor}" for pid, descriptor in reports.items())


def read(argument: str) -> dict[int, int]:
    """Return what `written` wrote."""
    return {int(pid): int(descriptor) for pid, _, descriptor in (one.partition(":") for one in argument.split(",") if one)}


def rest(channel: int, reports: dict[int, int], command: list[str]) -> None:
    """Become this program. The command gets what is left of the reports as its last argument."""
    for descriptor in (channel, *reports.values()):
        os.set_inheritable(descriptor, True)
    os.execv(sys.executable, [sys.executable, "-I", "-S", __file__, str(channel), written(reports), *command])  # noqa: S606


def main() -> None:
    """Report ends until somebody asks, and become the command; end when the asking end is closed."""
    channel, reports, command = int(sys.argv[1]), read(sys.argv[2]), sys.argv[3:]
    woken, wakes = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    poll.register(woken, select.POLLIN)
    ready: dict[int, int] = {}
    while channel not in ready:
        if woken in ready:
            os.read(woken, 1024)
        report_ends(reports)  # also those that ended before the handler was there
        ready = dict(poll.poll())
    if ready[channel] & select.POLLHUP:
        return
    os.execv(command[0], [*command, written(reports)])  # noqa: S606


if __name__ == "__main__":
    main()
