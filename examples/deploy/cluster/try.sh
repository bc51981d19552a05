#!/bin/sh
# Runs three instances, one Redis and nginx on this machine: converts FILES files (default 1000) and kills an instance
# from time to time. Prints the number of lost files (none), and of requests without an answer because an instance died
# during the upload. Needs redis-server or valkey-server, nginx and curl; CONVERTD is the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
files=${FILES:-1000}
convertd=${CONVERTD:-convertd}
redis=$(command -v redis-server || command -v valkey-server)
work=$(mktemp -d)
base=${PORT:-8080}

stop() {
    for name in redis nginx 1 2 3; do
        if [ -f "$work/$name.pid" ]; then kill "$(cat "$work/$name.pid")" 2>/dev/null || true; fi
    done
    wait
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

# Configuration files of this folder, with ports from $base on.
port_of_redis=$((base + 9))
cp "$here/users.acl" "$work/users.acl"
sed "s/^port .*/port $port_of_redis/; s|^aclfile .*|aclfile $work/users.acl|" "$here/redis.conf" >"$work/redis.conf"
ports=
for at in 0 1 2 3; do ports="$ports; s/127.0.0.1:808$at/127.0.0.1:$((base + at))/"; done
for kind in client_body proxy fastcgi uwsgi scgi; do temporary="${temporary:-}${kind}_temp_path $work/$kind; "; done
sed "${ports#; }; s|^http {|http { access_log off; $temporary|" "$here/nginx.conf" >"$work/nginx.conf"
set -a
. "$here/convertd.env"
set +a
CONVERTD_STORE=$(echo "$CONVERTD_STORE" | sed "s/:6379/:$port_of_redis/")
export CONVERTD_LEASE=3

start_instance() {
    CONVERTD_DATA_DIR="$work/data$1" "$convertd" serve --listen "127.0.0.1:$((base + $1))" --log warn 2>>"$work/$1.log" &
    echo $! >"$work/$1.pid"
}

"$redis" "$work/redis.conf" --dir "$work" >/dev/null &
echo $! >"$work/redis.pid"
nginx -c "$work/nginx.conf" -e stderr -g "daemon off; pid $work/nginx-master.pid; error_log stderr crit;" &
echo $! >"$work/nginx.pid"
for instance in 1 2 3; do start_instance $instance; done
url=http://127.0.0.1:$base
for _ in $(seq 300); do
    if curl -fs "$url/api/v1/health" | grep -q operational; then break; fi
    sleep 0.1
done

printf 'P6\n2 2\n255\nabcdefghijkl' >"$work/picture.ppm"
promised=0 refused=0 lost=0 twice=0 kills=0
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# Fetches a link, and retries until it works. Fails if the answer says that it will never work.
fetch() {
    for _ in $(seq 100); do
        status=$(curl -s -o "$work/out" -w '%{http_code}' "$url$1" || true)
        case $status in
            200) return 0 ;;
            404) grep -q -e 'Retry-After' -e 'in progress' -e 'somebody else' "$work/out" || return 1 ;;
        esac
        sleep 0.1
    done
    return 1
}
for file in $(seq "$files"); do
    if [ $((file % 50)) = 0 ]; then
        victim=$((file / 50 % 3 + 1))
        kill -9 "$(cat "$work/$victim.pid")"
        wait "$(cat "$work/$victim.pid")" 2>/dev/null || true
        start_instance $victim
        kills=$((kills + 1))
    fi
    prefer=respond-sync
    if [ $((file % 2)) = 0 ]; then prefer=respond-async; fi
    link=$(curl -s -H "Prefer: $prefer" -F "file=@$work/picture.ppm" -F target_format=png "$url/api/v1/convert" | field download_url)
    if [ -z "$link" ]; then
        refused=$((refused + 1))
        continue
    fi
    promised=$((promised + 1))
    if ! fetch "$link"; then lost=$((lost + 1)); fi
    if [ "$(curl -s -o /dev/null -w '%{http_code}' "$url$link")" = 200 ]; then twice=$((twice + 1)); fi
done
echo "$promised promised, $lost lost, $twice delivered twice, $refused not accepted, $kills instances killed"
[ $lost = 0 ] && [ $twice = 0 ] && [ $promised -gt 0 ]
