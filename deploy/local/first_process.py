"""Process 1 of a container: passes signals on to what it starts, and buries what ends after those who started it.

The kernel gives process 1 no signal that it does not listen for, and it is the parent of all orphans. The launcher starts other
work before it listens, and waits only for its own children; so it goes on as a child of process 1.
"""

import os
import signal

SIGNALS = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM}


def leave_first_place() -> None:
    """Go on in a child if this is process 1, which ends as the child does."""
    if os.getpid() != 1:
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    if not (child := os.fork()):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        return
    for number in SIGNALS:
        signal.signal(number, lambda received, _frame: os.kill(child, received))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
