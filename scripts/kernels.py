"""Compiles the kernels: modules in folders named `kernels`, written in Cython's pure Python mode.

Run by scripts/prepare.py in the virtual environment, and by setup.py for a package. A compiled module lies beside its source and
is imported in its place; without one the source itself is run, which does the same and takes longer. Intermediate files go to
`generated/kernels`.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from prepare import ROOT, kernels
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

BUILD = Path("generated", "kernels")
"""From the root, where compilers run: what they make has no path of this machine in it."""
SHARED = "brettwerk_games.players.kernels_shared"
"""The code that Cython needs in every module, compiled once: it is most of what there is to compile."""


def extensions() -> list[Extension]:
    """Return what is compiled: modules, and what they share. Debian's Python asks for debugging information, which is large."""
    compiling = ["-O3", "-g0"]
    sources = [path.relative_to(ROOT) for path in kernels()]
    modules = [Extension(".".join(path.with_suffix("").parts), [str(path)], extra_compile_args=compiling) for path in sources]
    return [*modules, Extension(SHARED, [str(BUILD / "kernels_shared.c")], extra_compile_args=compiling)]


class BuildKernels(build_ext):
    """Compiles `extensions` with the root as the working folder. Raises what setuptools raises when there is no compiler."""

    def finalize_options(self) -> None:
        """Use all cores, and keep what is made on the way where it may lie."""
        super().finalize_options()
        self.parallel = os.cpu_count()
        self.build_temp = str(BUILD)

    def run(self) -> None:
        """Translate to C, and compile."""
        translated = cythonize(
            self.extensions,
            nthreads=os.cpu_count() or 1,
            build_dir=str(BUILD),
            language_level=3,
            compiler_directives={"auto_pickle": False},  # nobody pickles players, and it is a quarter of what there is to compile
            quiet=True,
            shared_utility_qualified_name=SHARED,
        )
        in_c = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = in_c[extension.name]
        super().run()


class OptionalKernels(BuildKernels):
    """Builds a package without compiled players where there is no compiler; `brettwerk play` says what that costs."""

    def run(self) -> None:
        """Compile all of them or none: one without what they share could not be loaded."""
        try:
            super().run()
        except (BaseError, CCompilerError) as error:
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            self.warn(f"the computer players are not compiled, and will be a hundred times slower or more: {error}")


if __name__ == "__main__":
    command = BuildKernels(Distribution({"ext_modules": extensions(), "packages": []}))
    command.inplace = True
    command.build_lib = str(BUILD / "lib")
    command.ensure_finalized()
    command.run()
