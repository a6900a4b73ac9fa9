#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes runuser
#
# A live PostgreSQL server, by its own probes: how often each query ran and how long it took, by the text of the query;
# the row that a query's done probe gives is that of its start, in each backend.
. "$(dirname "$0")/../lib.sh"

bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null | tail -n 1)")
[ -x "$bin/initdb" ] || skip "needs PostgreSQL: no /usr/lib/postgresql/*/bin/initdb"
id postgres >/dev/null 2>&1 || skip "needs the user postgres, whom PostgreSQL's package makes"

home=$(mktemp -d /tmp/dtx-postgresql.XXXXXX)
chown postgres "$home"
as() { (cd / && exec runuser -u postgres -- env TMPDIR="$home" "$bin/$@"); }
finish() {
	as pg_ctl -D "$home/data" -m immediate -w stop >/dev/null 2>&1
	rm -rf "$home" "$tmp"
}
trap finish EXIT
trap 'exit 1' TERM INT

as initdb -D "$home/data" -A trust -N --no-locale --encoding=UTF8 >"$tmp/initdb" 2>&1 || { cat "$tmp/initdb" >&2; fail "initdb failed"; }
as pg_ctl -D "$home/data" -l "$home/log" -w -t 20 start -o \
	"-k $home -c listen_addresses='' -c fsync=off -c autovacuum=off" >/dev/null || { cat "$home/log" >&2; fail "no server"; }

# shellcheck disable=SC2016
"$DTX" -qn 'BEGIN { printf("ready\n"); }
	postgresql:::query-start { self->text = copyinstr(arg0); self->since = timestamp; }
	postgresql:::query-done /self->since && copyinstr(arg0) == self->text/ {
		this->ms = (timestamp - self->since) / 1000000;
		@count[self->text] = count();
		@most[self->text] = max(this->ms);
		@least[self->text] = min(this->ms);
		self->since = 0;
		self->text = 0;
	}
	postgresql*:postgres::transaction-commit { @commits = count(); }
	END { printa("%s|%@d|%@d|%@d\n", @count, @least, @most); printa("commits %@d\n", @commits); }' \
	>"$tmp/out" 2>"$tmp/err" &
tracer=$!
begun

query() { as psql -X -q -h "$home" -d postgres -o /dev/null "$@" || fail "psql failed"; }
query <<-END &
	SELECT pg_sleep(0.2);
	SELECT 1;
	SELECT pg_sleep(0.1);
	SELECT 1;
END
query -c 'SELECT 1' -c 'SELECT pg_sleep(0.1);'
wait $!
kill -TERM $tracer
wait $tracer || { cat "$tmp/err" >&2; fail "dtx failed"; }
[ ! -s "$tmp/err" ] || { cat "$tmp/err" >&2; fail "it complains"; }

row() { awk -F '|' -v text="$1" '$1 == text { print $2, $3, $4 }' "$tmp/out"; }
row 'SELECT 1;' | { read -r n _ && [ "$n" = 2 ]; } || { cat "$tmp/out" >&2; fail "SELECT 1; did not run twice"; }
row 'SELECT 1' | { read -r n _ && [ "$n" = 1 ]; } || { cat "$tmp/out" >&2; fail "SELECT 1 of the other client did not run once"; }
row 'SELECT pg_sleep(0.2);' | { read -r n least most && [ "$n" = 1 ] && [ "$least" = "$most" ] && [ "$least" -ge 200 ]; } ||
	{ cat "$tmp/out" >&2; fail "SELECT pg_sleep(0.2) took less than 200 ms"; }
row 'SELECT pg_sleep(0.1);' | { read -r n least _ && [ "$n" = 2 ] && [ "$least" -ge 100 ]; } ||
	{ cat "$tmp/out" >&2; fail "SELECT pg_sleep(0.1) did not take 100 ms twice"; }
awk '$1 == "commits" && $2 >= 6 { ok = 1 } END { exit !ok }' "$tmp/out" || { cat "$tmp/out" >&2; fail "fewer commits than queries"; }
