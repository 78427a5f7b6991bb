"""Drivers that measure Brettwerk through its public endpoints. README.md has the results."""

import sys
from importlib.util import find_spec

if find_spec("psutil") is None:
    sys.exit("load tests need the packages for development: run scripts/prepare.py --dev, and start them with .venv/bin/python")
