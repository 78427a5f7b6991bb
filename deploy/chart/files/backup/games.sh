#!/bin/sh
# Copies the running games out of their store, and proves that the copy can be read: a server is started on it. The copy is what
# a store wants to find in its volume, an append-only file that begins with a snapshot.
#
#   STORE_HOST, REDISCLI_AUTH, STORE_TLS (options of valkey-cli)    the store
#   BACKUP                                                          the folder of backups; this one grows in BACKUP/unfinished
set -eu
unfinished="${BACKUP:-/backup}/unfinished"
rm -rf "$unfinished"
mkdir -p "$unfinished/redis/appendonlydir" "$unfinished/trial"

# shellcheck disable=SC2086 # options are words of their own
ask() { valkey-cli -h "$STORE_HOST" -p "${STORE_PORT:-6379}" ${STORE_TLS:-} "$@"; }

ask --rdb "$unfinished/redis/appendonlydir/appendonly.aof.1.base.rdb" >&2
echo "file appendonly.aof.1.base.rdb seq 1 type b" >"$unfinished/redis/appendonlydir/appendonly.aof.manifest"

# The trial: on a copy, since a server writes into its folder.
cp -R "$unfinished/redis/appendonlydir" "$unfinished/trial/"
valkey-server --port 0 --unixsocket "$unfinished/trial/socket" --dir "$unfinished/trial" --appendonly yes --save '' >"$unfinished/trial/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
keys=""
while kill -0 "$server" 2>/dev/null; do
    keys="$(valkey-cli -s "$unfinished/trial/socket" dbsize 2>/dev/null | grep -Eo '[0-9]+$' || true)"
    [ -z "$keys" ] || break
    sleep 0.2
done
if [ -z "$keys" ]; then
    echo "the copy of the running games cannot be read: no server starts on it" >&2
    tail -n 20 "$unfinished/trial/log" >&2
    exit 1
fi
there="$(ask dbsize | grep -Eo '[0-9]+$')"
if [ "$keys" = 0 ] && [ "$there" != 0 ]; then
    echo "the copy of the running games is empty, and the store has $there keys" >&2
    exit 1
fi
kill "$server"
wait "$server" || true
rm -rf "$unfinished/trial"
echo "running games: $keys keys were read back from the copy"
