#!/bin/sh
# Runs the store in its container and looks after it: a server that answers nothing for some time, not even that it is busy or
# loading, is killed. The container ends with its server, and is started again.
set -eu
umask 077
every_s=1   # pause between two questions
answer_s=3  # how long it waits for an answer
limit=3      # questions in a row without one

valkey-server --appendonly yes --appendfsync "${APPENDFSYNC:-everysec}" --save '' --maxmemory 1gb --maxmemory-policy noeviction --dir /data \
    --requirepass "$REDIS_PASSWORD" &
server=$!
ending=""
trap 'ending=yes; kill -TERM "$server"' TERM INT

answers() {
    [ -n "$(REDISCLI_AUTH="$REDIS_PASSWORD" timeout -s KILL "$answer_s" valkey-cli ping 2>/dev/null)" ]
}

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
wait "$server"
