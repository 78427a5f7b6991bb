"""The rest of pyproject.toml for the package of the games: its computer players, which are compiled (scripts/build-games)."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))

from kernels import OptionalKernels, extensions

setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalKernels})
