#!/bin/sh
# Makes a release of what is checked out: images by digest with what is in them and how they were made, the chart, client packages,
# the contract, sums and signatures. docs/releasing.md says more, and verify.sh checks it.
#
#   deploy/images/release.sh 0.2.0 --registry registry.example.org/brettwerk --push --sign ~/.ssh/brettwerk
#
# ENGINE is podman, buildah or docker (with buildx), and by itself the first of these there is. --help lists the options.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/lend.sh"
PYTHONPATH="$here/../.." python3 -P -m deploy.release --engine "$engine" --lent "$lent" \
    --own-bases "${BRETTWERK_BASES:-localhost/brettwerk-base}" "$@"
