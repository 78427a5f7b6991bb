#!/bin/sh
# Runs the store in its container and looks after it: a server that answers nothing for some time, not even that it is busy or
# loading, is killed. The container ends with its server, and is started again.
#
#   store.sh         run it
#   store.sh mend    mend its file while no server runs on it, keeping the file as it is beside it
#
# A file that no server can read does not heal by starting again: then the container stays, unhealthy, and its log ends with one
# sentence. Of a file that ends in the middle of a write, which a power cut leaves, only that write is dropped.
#
#   REDIS_PASSWORD, APPENDFSYNC    as compose.yaml gives them
#   STORE_DATA, STORE_PORT         the folder of the server's files (/data), its port (6379)
set -eu
umask 077
data="${STORE_DATA:-/data}"
port="${STORE_PORT:-6379}"
manifest="$data/appendonlydir/appendonly.aof.manifest"
every_s=1   # pause between two questions
answer_s=3  # how long it waits for an answer
limit=3      # questions in a row without one
server=""
ending=""

# The damage to the file: "name size whole", by how many bytes of it are whole. Fails when there is none.
damage() {
    ! valkey-check-aof "$manifest" </dev/null >"$data/check.log" 2>&1 || return 1
    sed -n 's/^AOF analyzed: filename=\(.*\), size=\([0-9]*\), ok_up_to=\([0-9]*\),.*, diff=[1-9][0-9]*$/\1 \2 \3/p' "$data/check.log" | tail -n 1
}

fix() { echo y | valkey-check-aof --fix "$manifest" >"$data/check.log" 2>&1; }

# Whether what follows the whole writes is not all of one: no transaction ends in it.
is_cut() { ! tail -c "+$(($3 + 1))" "$data/appendonlydir/$1" | grep -aq '^EXEC' && [ -z "$(tail -c 64 "$data/appendonlydir/$1" | tr '\0' '!' | grep -a '!!!!!!!!!!!!!!!!')" ]; }

mend() {
    aside="$data/before-$(date -u +%Y%m%dT%H%M%SZ)"
    if ! found="$(damage)"; then
        echo "nothing in $data is damaged"
        return
    fi
    cp -R "$data/appendonlydir" "$aside"
    # shellcheck disable=SC2086 # three words
    set -- $found
    if [ $# = 3 ] && fix && ! damage >/dev/null; then
        echo "$1 is mended; everything after byte $3 of $2 is lost from it, and the files as they were are in $aside"
    else
        echo "the store cannot be mended here: $(tail -n 1 "$data/check.log"); restore a backup, or mend a copy with scripts/mend" >&2
        return 1
    fi
}

# Stays without a server until it is told to end.
hold() {
    echo "$1" >&2
    while [ -z "$ending" ]; do
        sleep 5 &
        wait $! || true
    done
    exit 0
}

explain() {
    # shellcheck disable=SC2046 # three words
    set -- $(damage || true)
    if [ $# != 3 ]; then
        hold "the store is damaged: $(tail -n 1 "$data/check.log"); restore a backup (docs/operations.md)"
    elif is_cut "$@" && fix; then
        echo "the store ended while it wrote: the last $(($2 - $3)) bytes of $1, from byte $3, are no whole write and were dropped" >&2
    else
        hold "the store is damaged: $1 from byte $3 of $2; \`docker compose run --rm redis mend\` drops the $(($2 - $3)) bytes from there on and keeps the file as it is beside it; then restart redis"
    fi
}

start() {
    valkey-server --port "$port" --appendonly yes --aof-load-truncated no --appendfsync "${APPENDFSYNC:-everysec}" --save '' \
        --maxmemory 1gb --maxmemory-policy noeviction --dir "$data" --requirepass "$REDIS_PASSWORD" &
    server=$!
}

answers() {
    [ -n "$(REDISCLI_AUTH="$REDIS_PASSWORD" timeout -s KILL "$answer_s" valkey-cli -p "$port" ping 2>/dev/null)" ]
}

if [ "${1:-}" = mend ]; then
    mend
    exit
fi
trap 'ending=yes; [ -z "$server" ] || kill -TERM "$server" 2>/dev/null' TERM INT
if [ ! -s "$manifest" ] && ls "$data"/appendonlydir/appendonly.aof.*.aof >/dev/null 2>&1; then
    # A server would begin with an empty store in its place.
    hold "the store is damaged: $manifest is empty or missing; restore a backup, or mend a copy with scripts/mend (docs/operations.md)"
fi
start
missed=0
while sleep "$every_s" & wait $! || true; kill -0 "$server" 2>/dev/null; do
    if [ -n "$ending" ] || answers; then
        missed=0
    elif missed=$((missed + 1)) && [ "$missed" -ge "$limit" ]; then
        echo "the store gave no answer $missed times: it is killed" >&2
        kill -KILL "$server"
        break
    fi
done
code=0
wait "$server" || code=$?
if [ "$code" = 1 ] && [ -z "$ending" ] && [ -d "$data/appendonlydir" ] && damage >/dev/null; then
    server=""
    explain
fi
exit "$code"
