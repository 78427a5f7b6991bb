"""A step of setuptools: computer players are compiled where there is a compiler."""

from pathlib import Path

from kernels import BuildKernels
from setuptools.errors import BaseError, CCompilerError


class Compiled(BuildKernels):
    """Builds the package without compiled players where there is no compiler; `brettwerk play` says what that costs."""

    def run(self) -> None:
        """Compile all of them or none: one without what they share could not be loaded."""
        try:
            super().run()
        except (BaseError, CCompilerError) as error:
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            self.warn(f"the computer players are not compiled, and will be a hundred times slower or more: {error}")
