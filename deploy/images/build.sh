#!/bin/sh
# Builds the images of all services, and the one that is all of them, with podman or docker, with the settings by which this machine fetches packages.
#
#   deploy/images/build.sh            on the bases that the Dockerfile names
#   deploy/images/build.sh --bases    on those that bases.sh has made
#
# BRETTWERK_IMAGES and BRETTWERK_VERSION say how they are called, as in the compose file: brettwerk-rules:1.0.0.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
. "$here/lend.sh"

own=""
case "${1:-}" in
--bases) own="${BRETTWERK_BASES:-localhost/brettwerk-base}" ;;
"") ;;
*) echo "unknown: $1" >&2; exit 2 ;;
esac
prefix="${BRETTWERK_IMAGES:-brettwerk}"
version="${BRETTWERK_VERSION:-1.0.0}"
revision="$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)"
# The first needs all stages that others need, too: they are built at the same time.
for target in gateway all rules session ai players worker; do
    set -- --target "$target" --build-arg "VERSION=$version" --build-arg "REVISION=$revision"
    if [ -n "$own" ]; then set -- "$@" --build-arg "PYTHON_BASE=$own-python" --build-arg "NODE_BASE=$own-node"; fi
    build "$prefix-$target:$version" "$root" "$@" <"$here/Dockerfile"
done
