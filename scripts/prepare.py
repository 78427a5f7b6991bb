"""Prepares a checkout: a virtual environment with pinned packages, the code generated from the contract, compiled kernels.

Runs with nothing but the standard library of Python 3.11 or newer. What is already there and unchanged is left alone.
"""

import ast
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import Steps

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("BRETTWERK_VENV", ROOT / ".venv"))
PYTHON = VENV / "bin" / "python"
PROTOS = ROOT / "protos"
GENERATED = ROOT / "generated" / "python"
CLIENT = ROOT / "clients" / "python" / "src"
KERNELS = ROOT / "generated" / "kernels"
PUBLIC = PROTOS / "brettwerk" / "v1"
"""The contract for clients. What the services say to each other is in a package of its own, which no client is given."""
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "brettwerk"
"""The cache that all checkouts of a user share, of slow work: compiled players, and what types were found. It may go."""
MAX_KEPT = 4
"""How many states of the compiled players are kept."""
SHARED_BY_KERNELS = ROOT / "brettwerk_games" / "players" / "kernels_shared"


STEPS = Steps()
say = STEPS.say
MAKING, PACKAGES, CONTRACT, PLAYERS = "environment", "packages", "contract", "computer players"
PAGE_TOOLS, PAGE = "tools of the web client", "web client"
UNFINISHED = VENV / "brettwerk-unfinished"
"""Is there while the environment is filled: one whose making was killed is made once more."""


def fail(text: str) -> NoReturn:
    """Say what is wrong and raise SystemExit (1)."""
    say(text)
    raise SystemExit(1)


def digest(*paths: Path) -> str:
    """Return a SHA-256 of the names and contents of files, in hexadecimal."""
    sha = hashlib.sha256()
    for path in paths:
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()


def is_current(stamp: Path, value: str) -> bool:
    """Return whether a stamp says that what it stands for was made of `value`."""
    return stamp.exists() and stamp.read_text() == value


def environment_stamp(wanted: Path) -> Path:
    """Return the file that says with which state of a list of packages .venv was filled."""
    return VENV / f"brettwerk-{wanted.stem}"


TRIAL = """
import ensurepip, pathlib, sysconfig, time, venv
assert (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists()
def spent():
    began = time.process_time()
    for number in range(50_000):
        text = str(number)
    return time.process_time() - began
print(min(spent() for _ in range(7)))
"""
"""Prints how long a Python takes for fixed work; fails in one with which no environment can be made, or nothing compiled."""


def interpreter() -> str:
    """Return the Python to make the environment with: this one, or another of the same series that is a fifth faster.

    Builds differ that much: Debian's and that of the official images are optimized by profile, those that pyenv makes are not.
    """

    def trial(python: str) -> float:
        said = subprocess.run([python, "-c", TRIAL], capture_output=True, text=True)
        return float(said.stdout) if said.returncode == 0 else float("inf")

    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    places = (os.path.join(folder, name) for folder in (*os.get_exec_path(), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"))
    others = {os.path.realpath(path) for path in places if os.access(path, os.X_OK)} - {os.path.realpath(sys.executable)}
    best = min(sorted(others), key=trial, default=sys.executable)
    return best if trial(best) < 0.8 * trial(sys.executable) else sys.executable


PIP = ["-m", "pip", "--disable-pip-version-check", "-qq"]
"""So quiet that pip does not begin with warnings of how it is set up."""


def require_packages(wanted: Path) -> None:
    """Fail within seconds where no packages are to be had, asking pip for one of a list: for all of them it tries for a minute.

    So whatever pip is set to counts: mirrors, folders, proxies and certificates. It is uv where the list has it, which stays.
    """
    text = wanted.read_text()
    has_uv = (VENV / "bin" / "uv").exists()
    uv = None if has_uv else re.search(r"^uv==(.*\\\n)*.*$", text, re.MULTILINE)  # with its digests
    pinned = next(line for line in text.splitlines() if "==" in line and ";" not in line)
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "first.txt"
        alone.write_text(uv[0] if uv else pinned.split()[0])
        command = ["install", "--no-compile"] if uv else ["download", "--dest", folder]
        asked = [*PIP, *command, "--no-deps", "--retries", "1", "--timeout", "10", "-r", str(alone)]
        if subprocess.run([str(PYTHON), *asked], capture_output=True).returncode:
            first = alone.read_text().split()[0]
            fail(
                f"no packages can be fetched, not even {first}: is there a network? A mirror or proxy is set for pip "
                "(PIP_INDEX_URL, PIP_PROXY)"
            )


UV_OPTIONS = {
    "index-url": "--index-url",
    "extra-index-url": "--extra-index-url",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}
"""How uv calls what pip is set to, where it takes a list of values."""
UV_VARIABLES = {"cert": ("SSL_CERT_FILE",), "proxy": ("HTTP_PROXY", "HTTPS_PROXY")}
OF_NO_CONCERN = re.compile(
    "(no-)?cache-dir|constraint|disable-pip-version-check|no-input|progress-bar|quiet|retries|.*timeout|require-.*|root-.*"
)
"""Settings that change nothing of which packages are installed: all are pinned, with their digests."""


def uv_settings() -> tuple[list[str], dict[str, str]] | None:
    """Return the options and variables with which uv finds packages where pip does; None where pip is set to what uv has not."""
    said = subprocess.run([str(PYTHON), *PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    settings: dict[str, str] = {}
    for line in sorted(said.splitlines(), key=lambda line: line.startswith(":env:")):  # the environment has the last word
        name, _, value = line.partition("=")
        settings[name.rpartition(".")[2]] = str(ast.literal_eval(value))
    if any(not OF_NO_CONCERN.fullmatch(name) for name in settings.keys() - UV_OPTIONS.keys() - UV_VARIABLES.keys()):
        return None
    options = [part for name, option in UV_OPTIONS.items() for one in settings.get(name, "").split() for part in (option, one)]
    return options, {name: settings[key] for key, names in UV_VARIABLES.items() if key in settings for name in names}


def install(wanted: Path, *, dev: bool) -> bool:
    """Install what a list pins; return whether that was possible. Where there is uv it takes three seconds, with pip thirty."""
    uv = shutil.which("uv") or shutil.which("uv", path=VENV / "bin")
    settings = uv_settings() if uv else None
    if uv and settings:
        options, variables = settings
        command = [uv, "--no-config", "pip", "install", "--quiet", "--python", str(PYTHON), "--require-hashes", *options]
        command += ["--index-strategy", "unsafe-best-match", "-r", str(wanted)]  # as pip does; each package has its digest
        if subprocess.run(command, env={**os.environ, **variables}, capture_output=True).returncode == 0:
            return True
    compiled = ["--no-compile"] if dev else []  # tests keep bytecode elsewhere (scripts/test)
    command = [str(PYTHON), *PIP, "install", *compiled, "--require-hashes", "-r", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        say(f"{done.stdout}{done.stderr}".strip())  # it says what is wrong
    return done.returncode == 0


def lists_of_packages(*, dev: bool) -> list[Path]:
    """Return the lists of which one has to be installed; the first is the one to install."""
    return [ROOT / "requirements" / f"{name}.txt" for name in (("dev",) if dev else ("run", "dev"))]


def environment_is_made() -> bool:
    """Return whether .venv is there, and its making was not killed."""
    return PYTHON.exists() and not UNFINISHED.exists()


def packages_are_current(*, dev: bool) -> bool:
    """Return whether .venv holds what the lists pin now."""
    lists = (path for path in lists_of_packages(dev=dev) if path.exists())  # images have no dev.txt
    return environment_is_made() and any(is_current(environment_stamp(path), digest(path)) for path in lists)


@contextlib.contextmanager
def unfinished() -> Iterator[None]:
    """Mark the environment as unfinished while the block runs, so that one is made anew whose process was killed."""
    VENV.mkdir(parents=True, exist_ok=True)
    UNFINISHED.touch()
    try:
        yield
    finally:
        UNFINISHED.unlink(missing_ok=True)


def prepare_environment(*, dev: bool) -> None:
    """Make .venv hold what requirements/run.txt (or dev.txt, which contains it) pins."""
    if not environment_is_made():
        if UNFINISHED.exists():
            shutil.rmtree(VENV)
        with STEPS.step(MAKING), unfinished():
            made = subprocess.run([interpreter(), "-m", "venv", str(VENV)], capture_output=True, text=True)
        if made.returncode:
            shutil.rmtree(VENV, ignore_errors=True)
            say(f"{made.stdout}{made.stderr}".strip())
            fail("no virtual environment can be made; on Debian and Ubuntu: apt install python3-venv")
    if not packages_are_current(dev=dev):
        wanted = lists_of_packages(dev=dev)[0]
        with STEPS.step(PACKAGES), unfinished():
            require_packages(wanted)
            if not install(wanted, dev=dev):
                fail("the packages could not be installed; is there a network, and is this CPython 3.11 or newer?")
            environment_stamp(wanted).write_text(digest(wanted))
    for packages in VENV.glob("lib/python3*/site-packages"):
        (packages / "brettwerk-checkout.pth").write_text(f"{ROOT}\n{GENERATED}\n{CLIENT}\n")


def files_of_contract() -> list[Path]:
    """Return the files of the contract, in the order of their names."""
    return sorted(PROTOS.glob("brettwerk/**/*.proto"))


def digest_of_contract() -> str:
    """Return what generated code is known by: what it is made of, and by what."""
    return digest(*files_of_contract(), Path(__file__))


def contract_is_current() -> bool:
    """Return whether the generated code is made of the contract as it is now."""
    return is_current(GENERATED / "stamp", digest_of_contract())


def prepare_contract() -> None:
    """Generate the Python side of the contract."""
    if not contract_is_current():
        with STEPS.step(CONTRACT):
            generate(files_of_contract())


def generate(protos: list[Path]) -> None:
    """Write the modules of the contract, and what programs of others need of it, in place of those that are there."""
    fresh = GENERATED.with_name(f"{GENERATED.name}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    path = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(
        [
            str(PYTHON),
            "-m",
            "grpc_tools.protoc",
            f"-I{PROTOS}",
            f"--python_out={fresh}",
            f"--grpc_python_out={fresh}",
            f"--mypy_out=quiet:{fresh}",
            f"--mypy_grpc_out=quiet:{fresh}",
            *map(str, protos),
        ],
        check=True,
        env={**os.environ, "PATH": path},
    )
    for folder in (fresh / "brettwerk", *(fresh / "brettwerk").rglob("*/")):
        (folder / "__init__.py").touch()
    publish_contract(fresh / "brettwerk" / "published", sorted(PUBLIC.glob("*.proto")))
    (fresh / "stamp").write_text(digest_of_contract())
    shutil.rmtree(GENERATED, ignore_errors=True)  # only now, so that it is never missing for long
    fresh.rename(GENERATED)


def publish_contract(folder: Path, protos: list[Path]) -> None:
    """Write what programs of others need of the contract: its files, and the same as descriptors, with their comments."""
    folder.mkdir()
    with zipfile.ZipFile(folder / "contract.zip", "w", zipfile.ZIP_DEFLATED) as bundle:
        for path in protos:
            # Always in the same bytes: zip files count time from 1980 on.
            entry = zipfile.ZipInfo(path.relative_to(PROTOS).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            bundle.writestr(entry, path.read_bytes())
    command = [str(PYTHON), "-m", "grpc_tools.protoc", f"-I{PROTOS}", "--include_imports", "--include_source_info"]
    subprocess.run([*command, f"--descriptor_set_out={folder / 'contract.binpb'}", *map(str, protos)], check=True)


def kernels() -> list[Path]:
    """Return the modules that are compiled where there is a compiler."""
    modules = (ROOT / "brettwerk_games").rglob("kernels/*.py")
    return sorted(path for path in modules if path.name != "__init__.py")


def types_of(sources: list[Path]) -> list[Path]:
    """Return the declarations beside modules that are compiled."""
    return [path.with_suffix(".pxd") for path in sources if path.with_suffix(".pxd").exists()]


def digest_of_kernels(sources: list[Path]) -> str:
    """Return what compiled modules are known by: what they are made of, and by what."""
    return digest(*sources, *types_of(sources), ROOT / "scripts" / "kernels.py", VENV / "pyvenv.cfg")


def kernels_are_current() -> bool:
    """Return whether each compiled module is that of its source."""
    sources = kernels()
    is_whole = environment_is_made() and len(compiled(sources)) == len(sources) + 1
    return not sources or (is_whole and is_current(KERNELS / "stamp", digest_of_kernels(sources)))


def prepare_kernels() -> None:
    """Compile the inner loops of the computer players; without a C compiler they run as they are, and slower."""
    if not kernels_are_current():
        with STEPS.step(PLAYERS):
            make_kernels(kernels())


def make_kernels(sources: list[Path]) -> None:
    """Put compiled modules beside their sources: those that another checkout has compiled, or new ones."""
    for old in compiled(sources):
        old.unlink()  # never the code of yesterday
    KERNELS.mkdir(parents=True, exist_ok=True)
    kept = KEPT / "players" / digest_of_players(sources, types_of(sources))
    if not take(kept):
        with (KERNELS / "log.txt").open("w") as log:
            if subprocess.run([str(PYTHON), str(ROOT / "scripts" / "kernels.py")], cwd=ROOT, stdout=log, stderr=log).returncode:
                say(f"they could not be compiled and will be slow: {KERNELS.relative_to(ROOT)}/log.txt says why")
                say("on Debian and Ubuntu: apt install gcc libc6-dev python3-dev")
                return
        with contextlib.suppress(OSError):  # a home that cannot be written to
            keep(kept, compiled(sources))
    (KERNELS / "stamp").write_text(digest_of_kernels(sources))


def compiled(sources: list[Path]) -> list[Path]:
    """Return what stands compiled beside modules, and beside what they share."""
    return [found for path in (*sources, SHARED_BY_KERNELS) for found in path.parent.glob(f"{path.stem}.*.so")]


def digest_of_players(sources: list[Path], types: list[Path]) -> str:
    """Return what compiled players are kept by: what they are made of, and which Python on which kind of machine runs them."""
    asked = "import sys, sysconfig; print(sys.version, sysconfig.get_config_var('EXT_SUFFIX'), sysconfig.get_platform())"
    python = subprocess.run([str(PYTHON), "-c", asked], capture_output=True, check=True).stdout
    made_of = digest(*sources, *types, ROOT / "scripts" / "kernels.py", ROOT / "requirements" / "run.txt")
    return hashlib.sha256(made_of.encode() + python).hexdigest()


def keep(kept: Path, built: list[Path]) -> None:
    """Keep compiled players for other checkouts, and forget those that were not used for longest."""
    fresh = kept.with_name(f"{kept.name}.{os.getpid()}")
    for path in built:
        there = fresh / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, there)
    with contextlib.suppress(OSError):  # another checkout was faster
        fresh.rename(kept)
    states = sorted(kept.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in (fresh, *states[MAX_KEPT:]):
        shutil.rmtree(old, ignore_errors=True)


def take(kept: Path) -> bool:
    """Put kept players into this checkout; return whether there are any."""
    if not kept.is_dir():
        return False
    shutil.copytree(kept, ROOT, dirs_exist_ok=True)
    with contextlib.suppress(OSError):
        os.utime(kept)
    return True


def page_commands(python: Path | str) -> dict[str, list[str]]:
    """Return the steps that make the web client current, and the commands for them."""
    from deploy.local import web

    tied = [sys.executable, "-I", "-S", str(web.DIE_WITH_PARENT), str(os.getpid())]
    program = [*tied, "env", f"PYTHONPATH={ROOT}", str(python), "-m", "deploy.local.web"]
    steps = {} if web.is_installed() else {PAGE_TOOLS: [*program, "--tools"]}
    return {} if web.is_current() else steps | {PAGE: program}


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let no other process prepare this checkout within the block: it waits, and then finds everything done."""
    with Path(__file__).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another process that prepares this folder")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepare(*, dev: bool = False, players: bool = True, page: bool = False) -> None:
    """Prepare everything, or all but the compiled players; with `page` the web client, too, beside the rest.

    Ends the program with a sentence where that cannot be done.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - somebody's python3 may be older
        fail(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    try:
        with alone(), contextlib.ExitStack() as beside:
            make(beside, dev=dev, players=players, page=page)
        STEPS.end()
    except OSError as error:  # a full disk, or a folder that cannot be written to
        fail(f"this folder cannot be prepared: {error.strerror or error} ({error.filename or ROOT})")
    except subprocess.CalledProcessError as error:
        fail(f"this folder cannot be prepared: {' '.join(error.cmd[:4])} failed, see above")


def make(beside: contextlib.ExitStack, *, dev: bool, players: bool, page: bool) -> None:
    """Make what is missing; the web client beside the rest as soon as there is a Node.js, which may be one of the packages."""
    needed = {MAKING: environment_is_made(), PACKAGES: packages_are_current(dev=dev), CONTRACT: contract_is_current()}
    needed |= {PLAYERS: not players or kernels_are_current()}
    page_steps = page_commands(sys.executable) if page else {}
    STEPS.expect([*(name for name, is_there in needed.items() if not is_there), *page_steps])
    if page_steps:
        from deploy.local import node

        if has_node := node.of_machine() is not None:
            beside.enter_context(STEPS.beside(page_steps))
    prepare_environment(dev=dev)
    if page_steps and not has_node:  # it is installed into the environment
        beside.enter_context(STEPS.beside(page_commands(PYTHON)))
    prepare_contract()
    if players:
        prepare_kernels()


if __name__ == "__main__":
    prepare_kernels() if "--kernels" in sys.argv[1:] else prepare(dev="--dev" in sys.argv[1:])
