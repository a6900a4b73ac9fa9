#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes runuser
# timeout: 60
#
# examples/dbslower.d: queries of a live PostgreSQL server: one that sleeps, and quick ones; as texts, and as drivers send
# them, with values apart.
. "$(dirname "$0")/../lib.sh"

bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null | tail -n 1)")
[ -x "$bin/initdb" ] || skip "needs PostgreSQL: no /usr/lib/postgresql/*/bin/initdb"
id postgres >/dev/null 2>&1 || skip "needs the user postgres, whom PostgreSQL's package makes"
home=$(mktemp -d /tmp/dtx-dbslower.XXXXXX)
chown postgres "$home"
as() { (cd / && exec runuser -u postgres -- env TMPDIR="$home" "$bin/$@"); }
trap 'as pg_ctl -D "$home/data" -m immediate -w stop >/dev/null 2>&1; rm -rf "$home" "$tmp"' EXIT
as initdb -D "$home/data" -A trust -N --no-locale --encoding=UTF8 >"$tmp/initdb" 2>&1 || { cat "$tmp/initdb" >&2; fail "initdb failed"; }
as pg_ctl -D "$home/data" -l "$home/log" -w -t 20 start -o \
	"-k $home -c listen_addresses='' -c fsync=off -c autovacuum=off" >/dev/null || { cat "$home/log" >&2; fail "no server"; }
"$DTX" -qs examples/dbslower.d -m 50ms -o "$tmp/out" & dtx=$!
awaits [ -s "$tmp/out" ]
as psql -X -q -h "$home" -d postgres -o /dev/null -c 'SELECT 1' -c 'SELECT pg_sleep(0.1)' -c 'SELECT 2' || fail "psql failed"
echo 'SELECT pg_sleep(0.05 + :scale * 0.05);' >"$home/slow.sql"
for protocol in extended prepared; do
	as pgbench -n -M $protocol -t 2 -h "$home" -f "$home/slow.sql" postgres >"$tmp/pgbench" 2>&1 || { cat "$tmp/pgbench" >&2; fail "pgbench failed"; }
done
kill -TERM $dtx && wait $dtx
same 'TIME PID US DB QUERY' "$(head -n 1 "$tmp/out" | tr -s ' ')" 'another heading'
slow='postgres SELECT pg_sleep(0.05 + $1 * 0.05);'
same "$(printf '%s\n' 'postgres SELECT pg_sleep(0.1)' "$slow" "$slow" "$slow" "$slow")" \
	"$(awk '$3 >= 100000 && $3 < 5000000 { $1 = $2 = $3 = ""; sub(/^ */, ""); print }' "$tmp/out")" 'not the slow queries'
same 7 "$(awk '/\|/ { n += $NF } END { print n }' "$tmp/out")" 'not seven queries'
