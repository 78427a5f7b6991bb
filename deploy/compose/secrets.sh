#!/bin/sh
# Makes the secrets of the compose file, once: key.env for the endpoints, inner.env for calls between the services, store.env for
# those who use Redis, push.env for push messages, operator.env for the page of operators. What is there stays. Keep key.env and
# push.env; with another key players lose their seats, and with another push key browsers have to subscribe anew.
set -eu
folder="${1:-$(dirname "$0")}"
random() { head -c 96 /dev/urandom | base64 | tr -d '/+=\n' | cut -c1-48; }
umask 077
if [ ! -e "$folder/key.env" ]; then
    echo "BRETTWERK_SECRET_KEY=$(random)" >"$folder/key.env"
    echo "made $folder/key.env"
fi
if [ ! -e "$folder/inner.env" ]; then
    echo "BRETTWERK_INNER_KEY=$(random)" >"$folder/inner.env"
    echo "made $folder/inner.env"
fi
if [ ! -e "$folder/push.env" ]; then
    echo "BRETTWERK_PUSH_KEY=$(random)" >"$folder/push.env"
    echo "made $folder/push.env"
fi
if [ ! -e "$folder/operator.env" ]; then
    echo "BRETTWERK_OPERATOR_KEY=$(random)" >"$folder/operator.env"
    echo "made $folder/operator.env"
fi
if [ ! -e "$folder/store.env" ]; then
    password="$(random)"
    cat >"$folder/store.env" <<END
REDIS_PASSWORD=$password
BRETTWERK_REDIS_URL=redis://:$password@redis:6379/0
BRETTWERK_BROKER_URL=redis://:$password@redis:6379/1
END
    echo "made $folder/store.env"
fi
