"""`python -m deploy.local`: what `scripts/play` becomes once everything is prepared."""

import sys

from deploy.local.options import parse
from deploy.local.play import play

sys.exit(play(parse(sys.argv[1:])))
