#!/bin/sh
# Checks a release as a stranger can: who signed it, that every file is what was signed and none is missing or added, and that the
# files agree about the digests of the images.
#
#   verify.sh --key brettwerk.pub FOLDER                       signed with an OpenSSH key; needs ssh-keygen (OpenSSH 8.1 or newer)
#   verify.sh --cosign-key cosign.pub FOLDER                   signed with cosign and a key
#   verify.sh --identity URL --issuer URL FOLDER               signed by cosign without a key, as release workflows do
#   ... --images FOLDER                                        the images in the registry, too: needs cosign or skopeo
#
# COSIGN_OPTIONS and SKOPEO_OPTIONS are passed on, such as --insecure-ignore-tlog for what was signed with --tlog-upload=false.
# Take this program and the public key from where you trust them, not from the folder that they are to check.
set -eu
export LC_ALL=C  # what sha256sum says is read below
refuse() { echo "verify: $1" >&2; exit 1; }
key="" cosign_key="" identity="" issuer="" images="" folder=""
while [ $# -gt 0 ]; do
    case "$1" in
    --key | --cosign-key | --identity | --issuer)
        [ $# -gt 1 ] || refuse "$1 needs a value"
        case "$1" in --key) key="$2" ;; --cosign-key) cosign_key="$2" ;; --identity) identity="$2" ;; --issuer) issuer="$2" ;; esac
        shift
        ;;
    --images) images=yes ;;
    -*) refuse "unknown option: $1" ;;
    *) folder="$1" ;;
    esac
    shift
done
[ -n "$folder" ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -f "$folder/SHA256SUMS" ] || refuse "there is no SHA256SUMS in $folder"
if [ -z "$key$cosign_key$identity" ]; then refuse "say who has to have signed: --key, --cosign-key, or --identity and --issuer"; fi
if [ -n "$identity" ] && [ -z "$issuer" ]; then refuse "--identity needs --issuer"; fi
room="$(mktemp -d)"
trap 'rm -rf "$room"' EXIT

# cosign, with the options that say who has to have signed.
# shellcheck disable=SC2086 # options are words
if [ -n "$cosign_key" ]; then
    who() { "$@" ${COSIGN_OPTIONS:-} --key "$cosign_key"; }
else
    who() { "$@" ${COSIGN_OPTIONS:-} --certificate-identity "$identity" --certificate-oidc-issuer "$issuer"; }
fi

if [ -n "$key" ]; then
    [ -f "$folder/SHA256SUMS.sig" ] || refuse "there is no signature SHA256SUMS.sig in $folder"
    [ -r "$key" ] || refuse "the public key $key cannot be read"
    echo "release namespaces=\"brettwerk-release\" $(cut -d' ' -f1,2 "$key")" >"$room/signers"
    ssh-keygen -Y verify -f "$room/signers" -I release -n brettwerk-release -s "$folder/SHA256SUMS.sig" <"$folder/SHA256SUMS" \
        >"$room/said" 2>&1 || refuse "SHA256SUMS is not signed with $key"
    echo "signed with $key"
fi
if [ -n "$cosign_key$identity" ]; then
    command -v cosign >/dev/null || refuse "cosign is not installed"
    who cosign verify-blob --bundle "$folder/SHA256SUMS.bundle" "$folder/SHA256SUMS" >"$room/said" 2>&1 ||
        refuse "cosign does not accept the signature of SHA256SUMS: $(tail -n 1 "$room/said")"
    echo "signed by ${identity:-$cosign_key}"
fi

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
(cd "$folder" && sha256 -c SHA256SUMS) >"$room/said" 2>&1 || refuse "not what was signed: $(grep -v ': OK$' "$room/said" | head -n 1)"
(cd "$folder" && find . ! -type d) | sed 's,^\./,,' | grep -v '^SHA256SUMS' | sort >"$room/there"
cut -c67- "$folder/SHA256SUMS" | sort >"$room/listed"
cmp -s "$room/there" "$room/listed" || refuse "not in SHA256SUMS: $(comm -23 "$room/there" "$room/listed" | head -n 1)"
echo "$(wc -l <"$room/listed" | tr -d ' ') files are what was signed"

sed -n 's/.*"image": "\(.*@sha256:[0-9a-f]*\)".*/\1/p' "$folder/release.json" >"$room/images"
[ -s "$room/images" ] || refuse "release.json names no image"
while read -r image; do
    digest="${image##*@}" name="${image%@*}"
    name="${name##*/}"
    # No pod of the chart has the image for one host.
    [ "$name" = brettwerk-all ] || grep -q "\"$digest\"" "$folder/images-by-digest.yaml" || refuse "images-by-digest.yaml does not have $image"
    grep -q "\"${digest#sha256:}\"" "$folder/$name.intoto.json" || refuse "$name.intoto.json is about another image than $image"
    if [ -f "$folder/images/$name/manifest.json" ]; then
        [ "$(sha256 <"$folder/images/$name/manifest.json" | cut -d' ' -f1)" = "${digest#sha256:}" ] || refuse "images/$name is not $image"
    fi
    if [ -n "$images" ] && [ -n "$cosign_key$identity" ]; then
        who cosign verify "$image" >"$room/said" 2>&1 </dev/null || refuse "cosign does not accept $image: $(tail -n 1 "$room/said")"
    elif [ -n "$images" ]; then
        command -v skopeo >/dev/null || refuse "neither cosign nor skopeo is there to fetch images"
        # shellcheck disable=SC2086 # options are words
        skopeo inspect --raw ${SKOPEO_OPTIONS:-} "docker://$image" >"$room/manifest" 2>"$room/said" </dev/null || refuse "$image cannot be fetched: $(tail -n 1 "$room/said")"
        [ "$(sha256 <"$room/manifest" | cut -d' ' -f1)" = "${digest#sha256:}" ] || refuse "the registry has another $image"
    fi
    echo "$image"
done <"$room/images"
