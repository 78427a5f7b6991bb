"""How the package of a game is built: setuptools' step, and before it the contract of its .proto files.

A package's setup.py says no more than `setup(cmdclass={"build_py": WithContract})`. Brettwerk and grpcio-tools have to be in
the environment (`pip install --no-build-isolation`).
"""

import subprocess
import sys
from importlib import resources
from pathlib import Path

from setuptools.command.build_py import build_py

import brettwerk
from services.game_packages.contract import FILE


class WithContract(build_py):  # type: ignore[misc] # setuptools is not typed
    """Builds Python packages, those with .proto files with their contract."""

    def run(self) -> None:
        """Build. Raises CalledProcessError where a .proto file cannot be read; what is wrong there stands on stderr."""
        super().run()
        for package in self.packages or ():
            source = Path(self.get_package_dir(package))
            if protos := sorted(source.glob("*.proto")):
                target = source if self.editable_mode else Path(self.build_lib, *package.split("."))
                compile_contract(protos, target / FILE)


def compile_contract(protos: list[Path], target: Path) -> None:
    """Write the descriptors of .proto files that lie in one folder. Raises CalledProcessError where they cannot be read."""
    root = protos[0].absolute().parent.parent
    with resources.as_file(resources.files(brettwerk) / "published" / "contract.binpb") as known:
        names = [path.absolute().relative_to(root).as_posix() for path in protos]
        command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={root}", f"--descriptor_set_in={known}"]
        # protoc takes imports from the set and the named files from the folder; only these are written.
        subprocess.run([*command, f"--descriptor_set_out={target.absolute()}", *names], check=True, cwd=root)  # noqa: S603
