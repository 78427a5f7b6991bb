"""How the package of a game is built: setuptools' step, and with it the contract of the game's messages.

A package's pyproject.toml names the step, and the game as its entry point:

    [tool.setuptools.cmdclass]
    build_py = "brettwerk_games.packages.building.WithContract"

Facts, words and rules pages go along with the Python files. The contract is that of .proto files where a package has them, which
grpcio-tools compile, and otherwise made of the game's values. Brettwerk has to be in the environment
(`pip install --no-build-isolation`).
"""

import subprocess
import sys
from importlib import resources
from importlib.metadata import EntryPoint
from pathlib import Path

from setuptools.command.build_py import build_py

import brettwerk
from brettwerk_games.packages.contract import FILE
from brettwerk_games.packages.discovery import GROUP

DATA = ("*.json", "*.md", FILE, "text/*.json")
"""The files of a game besides Python's."""


class WithContract(build_py):  # type: ignore[misc] # setuptools is not typed
    """Builds Python packages, and the contract of each game among them."""

    def finalize_options(self) -> None:
        """Take the files of games along, besides those that the package names itself."""
        super().finalize_options()
        for package in self.packages or ():
            self.package_data[package] = [*self.package_data.get(package, ()), *DATA]

    def run(self) -> None:
        """Build.

        Raises CalledProcessError where a .proto file cannot be read (what is wrong there stands on stderr), and what
        `make_contract` raises.
        """
        super().run()
        entry_points = self.distribution.entry_points or {}
        games = {entry.partition("=")[0].strip(): entry.partition("=")[2].strip() for entry in entry_points.get(GROUP, ())}
        for package in self.packages or ():
            source = Path(self.get_package_dir(package))
            target = (source if self.editable_mode else Path(self.build_lib, *package.split("."))) / FILE
            if protos := sorted(source.glob("*.proto")):
                compile_contract(protos, target)
            elif package in games:
                make_contract(EntryPoint(package, games[package], GROUP), source.absolute().parent, target)


def make_contract(game: EntryPoint, root: Path, target: Path) -> None:
    """Write the descriptors of what a game below `root` carries. Raises what loading it raises, and ValueError for odd values."""
    sys.path.insert(0, str(root))
    try:
        target.write_bytes(game.load().contract())
    finally:
        sys.path.remove(str(root))


def compile_contract(protos: list[Path], target: Path) -> None:
    """Write the descriptors of .proto files that lie in one folder. Raises CalledProcessError where they cannot be read."""
    root = protos[0].absolute().parent.parent
    with resources.as_file(resources.files(brettwerk) / "published" / "contract.binpb") as known:
        names = [path.absolute().relative_to(root).as_posix() for path in protos]
        command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={root}", f"--descriptor_set_in={known}"]
        # protoc takes imports from the set and the named files from the folder; only these are written.
        subprocess.run([*command, f"--descriptor_set_out={target.absolute()}", *names], check=True, cwd=root)  # noqa: S603
