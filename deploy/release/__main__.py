"""Makes a release: `deploy/images/release.sh VERSION --registry R`. docs/releasing.md says what comes out."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deploy.release import parcels, signatures, statements
from deploy.release.commands import run
from deploy.release.engines import Engine, Recipe, engine, this_platform
from deploy.release.options import Options, parse
from deploy.release.release_error import ReleaseError
from deploy.release.source import DOCKERFILE, Base, Source, checked_out, pinned_bases
from deploy.release.statements import Published

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("gateway", "all", "rules", "session", "ai", "players", "worker")
"""The first needs all stages that others need, too."""
WITH_PAGE = ("gateway", statements.ALL)


def main(arguments: Sequence[str]) -> int:
    """Make it and return the exit code."""
    options = parse(arguments)
    try:
        make(options)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


def make(options: Options) -> None:
    """Make a release. Raises ReleaseError with the first step that fails; what does not take long comes first."""
    builder = engine(options.engine, insecure=options.insecure)
    for key in options.keys:
        signatures.program_for(key)
    source = checked_out(ROOT, options.version)
    bases = [_given(base, options.bases, builder) for base in pinned_bases((ROOT / DOCKERFILE).read_text("utf-8"))]
    recipe = Recipe(source, bases, bool(options.bases), options.lent)
    parcels.empty(options.into)
    say("packages, contract, chart")
    parcels.clients(source, options.into)
    parcels.server(source, options.into, options.pythons, statements.page_packages(_lock_of_the_page()))
    if options.wheels:
        parcels.wheels(source, options.into, options.wheels)
    parcels.contract(source, options.into)
    chart = parcels.chart(source, options.into)
    images = [_publish(builder, recipe, options, target) for target in TARGETS]
    _describe(options, source, bases, images, builder.about())
    _render(chart, source, options.into, images)
    shutil.copy(Path(__file__).with_name("verify.sh"), options.into)
    parcels.sums(options.into)
    for key in options.keys:
        say(f"signing with {key}")
        signatures.sign(key, options.into, images, pushed=options.push)
    if not options.keys:
        say("nothing is signed: there was no --sign")
    say(f"done: {options.into}")


def _given(base: Base, own: str, builder: Engine) -> Base:
    """Return a base of the Dockerfile, or the one that bases.sh has made in its place."""
    if not own:
        return base
    name = f"{own}-{base.argument.removesuffix('_BASE').lower()}"
    return Base(base.argument, name, builder.identity(name))


def _publish(builder: Engine, recipe: Recipe, options: Options, target: str) -> Published:
    """Build an image for all platforms, list its parts, and publish it."""
    name = f"{options.registry}/brettwerk-{target}"
    local, sboms = {}, {}
    for platform in options.platforms or (this_platform(),):
        local[platform] = f"{name}:{recipe.source.version}-{platform.rpartition('/')[2]}"
        say(f"building {local[platform]}")
        builder.build(recipe, target, platform, local[platform])
        listed = json.loads(builder.run(local[platform], platform, ["-m", "services.runtime.sbom"]))
        more = list(statements.page_packages(_lock_of_the_page())) if target in WITH_PAGE else []
        sboms[platform] = statements.sbom_file(target, platform)
        document = statements.sbom(listed, target, platform, recipe.source, more)
        statements.write(options.into / sboms[platform], document)
    into = None if options.push else options.into / "images" / f"brettwerk-{target}"
    if into is not None:
        into.parent.mkdir(exist_ok=True)
    digest = builder.publish(recipe, target, local, f"{name}:{recipe.source.version}", into)
    say(f"{'pushed' if options.push else 'kept'} {name}@{digest}")
    return Published(target, name, digest, sboms)


def _lock_of_the_page() -> dict[str, Any]:
    return dict(json.loads((ROOT / "clients" / "web" / "package-lock.json").read_text("utf-8")))


def _describe(options: Options, source: Source, bases: Sequence[Base], images: Sequence[Published], made_with: str) -> None:
    """Write what is said of the images."""
    who = statements.builder(os.environ)
    for image in images:
        statements.write(options.into / image.provenance, statements.provenance(image, source, bases, who, made_with))
    listed = statements.manifest(source, options.registry, pushed=options.push, images=images)
    statements.write(options.into / "release.json", listed)
    (options.into / "images-by-digest.yaml").write_text(statements.values(source, options.registry, images), "utf-8")


def _render(chart: Path, source: Source, into: Path, images: Sequence[Published]) -> None:
    """Render the packed chart with the images to plain manifests, where Helm is there: each image has to be in some pod."""
    own = ROOT / "generated" / "tools" / "helm"
    helm = shutil.which("helm") or (str(own) if own.exists() else None)
    if helm is None:
        say("the chart is not tried, and there are no plain manifests: there is no helm")
        return
    plain = source.root / "deploy" / "chart" / "examples" / "plain.yaml"
    values = [word for file in (plain, into / "images-by-digest.yaml") for word in ("--values", str(file))]
    made = run("chart", [helm, "template", "brettwerk", str(chart), "--namespace", "games", *values])
    if missing := [image.by_digest for image in images if image.target != statements.ALL and image.by_digest not in made]:
        raise ReleaseError(f"chart: no pod has the image {missing[0]}")
    if "brettwerk-" in "".join(line for line in made.splitlines() if " image: " in line and "@sha256:" not in line):
        raise ReleaseError("chart: a pod has an image that is not named by its digest")
    (into / f"brettwerk-{source.version}.yaml").write_text(made, "utf-8")


def say(what: str) -> None:
    """Say how far it is."""
    print(f"release: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
