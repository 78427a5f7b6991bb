#!/bin/sh
# One of the servers of a store, and the Sentinel beside it. The Sentinels know which server is the master: a server asks them when it
# starts, and hands the others what it has before it ends.
#
#   store.sh sentinel | server | ready | leave
#
#   STORE            what the Sentinels call the master
#   STORE_PEERS      all of them, by blanks: host:port:port-of-its-Sentinel
#   STORE_ME         this one of them
#   STORE_CONF       the folder of valkey.conf and sentinel.conf
#   STORE_DATA       the volume: the server's files, and in sentinel/ what the Sentinel has learned
#   STORE_TLS        options of valkey-cli
#   REDISCLI_AUTH    the password of servers and Sentinels
set -eu

conf="${STORE_CONF:-/etc/valkey}"
data="${STORE_DATA:-/data}"
learned="$data/sentinel/sentinel.conf"
set -- "$@" "$(echo "$STORE_ME" | cut -d: -f1)" "$(echo "$STORE_ME" | cut -d: -f2)" "$(echo "$STORE_ME" | cut -d: -f3)"
mode="$1" host="$2" port="$3" watch="$4"
majority=$(($(echo "$STORE_PEERS" | wc -w) / 2 + 1))

# shellcheck disable=SC2086 # options are words of their own
ask() { timeout 3 valkey-cli -h "$1" -p "$2" ${STORE_TLS:-} $3 2>/dev/null | tr -d '\r'; }

# The newest that the Sentinels say of the master, and most of them where they differ: "epoch host port". Fails while fewer answer than
# the number given. The epoch is asked for first: while a new master is being installed it is the new one's, and the list of facts still
# has the old one's address.
master() {
    said=""
    for peer in $STORE_PEERS; do
        epoch="$(ask "${peer%%:*}" "${peer##*:}" "sentinel master $STORE" | awk 'key == "config-epoch" { print } { key = $0 }')"
        [ -n "$epoch" ] || continue
        at="$(ask "${peer%%:*}" "${peer##*:}" "sentinel get-master-addr-by-name $STORE" | paste -s -d ' ' -)"
        [ -z "$at" ] || said="$said$epoch $at
"
    done
    [ "$(printf %s "$said" | wc -l)" -ge "$1" ] || return 1
    printf %s "$said" | sort | uniq -c | sort -k 2,2n -k 1,1n | awk 'END { print $2, $3, $4 }'
}

is_me() { [ "$1" = "$host" ] && [ "$2" = "$port" ]; }

others() {
    for peer in $STORE_PEERS; do
        [ "$peer" = "$STORE_ME" ] || echo "$peer"
    done
}

server_of() { echo "$1" | cut -d: -f2; }

# The master as this Sentinel has learned it before: "epoch host port".
remembered() {
    awk -v store="$STORE" '$2 == "monitor" && $3 == store { at = $4 " " $5 } $2 == "config-epoch" { epoch = $4 } END { if (at) print epoch + 0, at }' "$learned"
}

# Whether all names lead somewhere.
are_known() {
    for peer in $STORE_PEERS; do
        getent ahosts "${peer%%:*}" >/dev/null 2>&1 || return 1
    done
}

# A Sentinel's knowledge stays (who it is, who is the master since when, whom it knows); all else is said anew. One that hears
# of a new master whose name it cannot resolve keeps the old one for good, so it waits for the names, if all were lost at once.
sentinel() {
    mkdir -p "$data/sentinel"
    touch "$learned"
    first="${STORE_PEERS%% *}"
    tries=0
    until are_known || [ "$tries" -ge 20 ]; do
        tries=$((tries + 1))
        sleep 1
    done
    # shellcheck disable=SC2046 # three words
    set -- $({ remembered; master 1 || true; } | sort -s -n | tail -n 1)
    [ $# = 3 ] || set -- 0 "${first%%:*}" "$(server_of "$first")"
    {
        cat "$conf/sentinel.conf"
        echo "dir $data/sentinel"
        echo "requirepass \"$REDISCLI_AUTH\""
        echo "sentinel resolve-hostnames yes"
        echo "sentinel announce-hostnames yes"
        echo "sentinel announce-ip $host"
        echo "sentinel announce-port $watch"
        echo "sentinel sentinel-pass \"$REDISCLI_AUTH\""
        echo "sentinel monitor $STORE $2 $3 $majority"
        echo "sentinel auth-pass $STORE \"$REDISCLI_AUTH\""
        echo "sentinel down-after-milliseconds $STORE 3000"
        echo "sentinel failover-timeout $STORE 15000"
        grep -E '^sentinel (myid|current-epoch) ' "$learned" || true
        echo "sentinel config-epoch $STORE $1"
        for peer in $STORE_PEERS; do
            one="${peer%%:*} $(server_of "$peer")"
            [ "$one" = "$2 $3" ] || echo "sentinel known-replica $STORE $one"
            grep -F "sentinel known-sentinel $STORE ${peer%%:*} ${peer##*:} " "$learned" || true
        done
    } >"$learned.new"
    mv "$learned.new" "$learned"
    exec valkey-server "$learned" --sentinel
}

# Whether this one is to be the master with nothing, while another one has something: its volume was lost, so it waits until the
# Sentinels have found another master.
would_empty_the_others() {
    [ ! -e "$data/appendonlydir" ] || return 1
    for peer in $(others); do
        keys="$(ask "${peer%%:*}" "$(server_of "$peer")" dbsize | grep -Eo '[0-9]+$' || true)"
        [ "${keys:-0}" = 0 ] || return 0
    done
    return 1
}

# Whether a replica is there that the Sentinels may choose: it has all that was acknowledged, perhaps more than this one.
may_be_replaced() {
    for peer in $(others); do
        now="$(ask "${peer%%:*}" "$(server_of "$peer")" "info replication")"
        if echo "$now" | grep -q '^role:slave' && ! echo "$now" | grep -q '^slave_priority:0'; then
            return 0
        fi
    done
    return 1
}

# A master that was away for a moment lets a replica take over: the Sentinels may have begun with that, and what would be written here
# meanwhile would be lost. They are given the time of two attempts.
server() {
    until="$(($(date +%s) + 45))"
    while true; do
        # shellcheck disable=SC2046 # three words
        set -- $(master "$majority" || true)
        if [ $# = 3 ] && ! is_me "$2" "$3"; then
            break
        fi
        if [ $# = 3 ] && ! would_empty_the_others && { [ "$(date +%s)" -ge "$until" ] || ! may_be_replaced; }; then
            break
        fi
        sleep 1
    done
    if is_me "$2" "$3"; then
        echo "the Sentinels say that this is the master"
        set --
    else
        echo "the Sentinels say that the master is $2:$3"
        # Nobody is to choose it before it is in step: after all were lost, what it has may be old.
        set -- --replicaof "$2" "$3" --replica-priority 0
    fi
    exec valkey-server "$conf/valkey.conf" --requirepass "$REDISCLI_AUTH" --masterauth "$REDISCLI_AUTH" \
        --replica-announce-ip "$host" --replica-announce-port "$port" "$@"
}

# A replica is ready when it is in step: only then the next one is restarted, and only then it may become the master.
ready() {
    ask "$host" "$port" ping | grep -q PONG
    now="$(ask "$host" "$port" "info replication")"
    echo "$now" | grep -qE '^(role:master|master_link_status:up)'
    ! echo "$now" | grep -q '^slave_priority:0' || ask "$host" "$port" "config set replica-priority 100" >/dev/null
}

in_step() {
    ask "$host" "$port" "info replication" |
        awk -F '[=,:]' '/^slave[0-9]+:.*state=online/ { for (n = 1; n < NF; n++) if ($n == "offset") has[$(n + 1)] = 1 }
                        /^master_repl_offset:/ { all = $2 } END { exit !(all in has) }'
}

# A master that ends: it takes no more writes, waits until a replica has all of them, and lets the Sentinels choose a new master. Clients
# wait meanwhile, and go on there.
leave() {
    ask "$host" "$port" "info replication" | grep -q '^role:master' || return 0
    [ "$(ask "$host" "$port" "client pause 60000 write")" = OK ] || return 0
    tries=0
    until in_step || [ "$tries" -ge 20 ]; do
        tries=$((tries + 1))
        sleep 0.2
    done
    for peer in $(others); do
        if [ "$(ask "${peer%%:*}" "${peer##*:}" "sentinel failover $STORE")" = OK ]; then
            break
        fi
    done
    tries=0
    while [ "$tries" -lt 60 ]; do
        # shellcheck disable=SC2046 # three words
        set -- $(master "$majority" || true)
        if [ $# = 3 ] && ! is_me "$2" "$3"; then
            echo "the master is now $2:$3"
            return 0
        fi
        tries=$((tries + 1))
        sleep 0.2
    done
    ask "$host" "$port" "client unpause" # nobody can take over: clients go on here until the end
}

"$mode"
