# shellcheck shell=sh
# Read by bases.sh, build.sh and release.sh: which program builds, and the settings by which this machine fetches packages. They are
# lent to the build as secrets, so that an image holds none of them.
#
#   ENGINE            podman, docker or buildah; by itself the first there is
#   PIP_CONFIG_FILE, PIP_INDEX_URL, NPM_CONFIG_USERCONFIG, SSL_CERT_FILE    as pip, npm and OpenSSL read them
engine="${ENGINE:-$(command -v podman || command -v docker || command -v buildah || true)}"
[ -n "$engine" ] || { echo "neither podman nor docker nor buildah is here" >&2; exit 1; }
lent="$(mktemp -d)"
trap 'rm -rf "$lent"' EXIT

# Copies, since what is mounted must not be a link.
authorities="${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}"
if [ -r "$authorities" ]; then cat "$authorities" >"$lent/ca"; fi
npm="${NPM_CONFIG_USERCONFIG:-$HOME/.npmrc}"
if [ -r "$npm" ]; then cat "$npm" >"$lent/npm"; fi
# Of pip only where packages come from; folders of this machine are not there in a build.
if python3 -m pip --version >/dev/null 2>&1; then
    echo "[global]" >"$lent/pip"
    for key in index-url extra-index-url trusted-host; do
        value="$(python3 -m pip config get ":env:.$key" 2>/dev/null || python3 -m pip config get "global.$key" 2>/dev/null || true)"
        words=""
        for word in $value; do
            case "$word" in file:*) ;; *) words="$words $word" ;; esac
        done
        if [ -n "$words" ]; then echo "$key =$words" >>"$lent/pip"; fi
    done
fi

# build IMAGE CONTEXT [option...]: builds from a Dockerfile on standard input; says what was said if it fails.
build() {
    image="$1" context="$2"
    shift 2
    for name in ca pip npm; do
        if [ -e "$lent/$name" ]; then set -- "$@" --secret "id=$name,src=$lent/$name"; fi
    done
    # Podman and buildah: their own format knows no health checks, and they build one stage after the other unless told otherwise.
    case "$engine" in *podman | *buildah) set -- "$@" --format docker --jobs 0 ;; esac
    echo "building $image" >&2
    if ! "$engine" build --network host --tag "$image" "$@" -f - "$context" >"$lent/log" 2>&1; then
        tail -n 60 "$lent/log" >&2
        return 1
    fi
}
