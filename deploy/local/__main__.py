"""`python -m deploy.local`: what `scripts/play` becomes once everything is prepared."""

import signal
import sys

# Until the launcher hears signals, they end it: Python may drop an interrupt that comes while modules are loaded.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from deploy.local.options import parse  # noqa: E402
from deploy.local.play import play  # noqa: E402

sys.exit(play(parse(sys.argv[1:])))
