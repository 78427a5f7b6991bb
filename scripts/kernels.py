"""Compiles the kernels: modules in folders named `kernels`, written in Cython's pure Python mode.

Run by scripts/prepare.py in the virtual environment. A compiled module lies beside its source and is imported in its place;
without one the source itself is run, which does the same and takes longer. Intermediate files go to `generated/kernels`.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "generated" / "kernels"
SHARED = "services.ai.players.kernels_shared"
"""What Cython needs in every module, compiled once: it is most of what there is to compile."""


def compile_kernels(sources: list[Path]) -> None:
    """Compile `sources` in place. Raises what setuptools raises when there is no compiler."""
    extensions = [
        Extension(
            ".".join(path.relative_to(ROOT).with_suffix("").parts), [str(path.relative_to(ROOT))], extra_compile_args=["-O3"]
        )
        for path in sources
    ]
    shared = Extension(SHARED, [str(BUILD / "kernels_shared.c")])
    modules = cythonize(
        [*extensions, shared],
        nthreads=os.cpu_count() or 1,
        build_dir=str(BUILD),
        language_level=3,
        quiet=True,
        shared_utility_qualified_name=SHARED,
    )
    command = build_ext(Distribution({"ext_modules": modules, "packages": []}))
    command.inplace = True
    command.parallel = os.cpu_count()
    command.build_temp = str(BUILD)
    command.build_lib = str(BUILD / "lib")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    compile_kernels([ROOT / name for name in sys.argv[1:]])
