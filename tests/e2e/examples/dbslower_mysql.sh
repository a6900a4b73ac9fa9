#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes umulti setpriv g++
# timeout: 60
#
# examples/dbslower.d: queries of a live MariaDB: one that sleeps, and quick ones; and of a program with the function as
# MySQL has it since 5.7, and texts that do not end where the memory does.
. "$(dirname "$0")/../lib.sh"

[ -x /usr/sbin/mariadbd ] && command -v mariadb >/dev/null || skip "needs MariaDB: no /usr/sbin/mariadbd, or no mariadb"
home=$(mktemp -d /tmp/dtx-dbslower.XXXXXX)
trap 'kill -KILL $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$home" "$tmp"' EXIT
server=

# rows: what the tool printed, "PID DB TEXT" of each; with the time if it was not 0.1 s.
rows() {
	local pid us db text
	grep -E '^[0-9]+:' "$tmp/out" | while read -r _ pid us db text; do
		if [ "$us" -lt 100000 ] || [ "$us" -ge 5000000 ]; then text="$text, $us us"; fi
		echo "$pid $db $text"
	done
}
start() {
	: >"$tmp/out"
	"$DTX" -qs examples/dbslower.d -m 50ms -o "$tmp/out" & dtx=$!
	awaits [ -s "$tmp/out" ]
}
# stop N: ends the tool, which has seen so many queries.
stop() {
	kill -TERM $dtx && wait $dtx || fail 'dtx failed'
	same 'TIME PID US DB QUERY' "$(head -n 1 "$tmp/out" | tr -s ' ')" 'another heading'
	same "mysql $1" "$(awk 'NF == 1 { db = $1 } /\|/ { n += $NF } END { print db, n }' "$tmp/out")" "not $1 queries: $(cat "$tmp/out")"
}

# An empty folder and no tables of rights: it is there in a fraction of a second.
mkdir "$home/data" && chown -R nobody "$home"
setpriv --reuid=nobody --regid=nogroup --clear-groups /usr/sbin/mariadbd --no-defaults --datadir="$home/data" --tmpdir="$home" \
	--socket="$home/socket" --pid-file="$home/pid" --skip-networking \
	--skip-grant-tables --skip-innodb --default-storage-engine=MyISAM >"$home/log" 2>&1 & server=$!
query() { mariadb --no-defaults -S "$home/socket" "$@" >/dev/null 2>"$tmp/err"; }
until_true 10 query -e 'DO 0' || { cat "$home/log" "$tmp/err" >&2; fail "no server"; }
start
query -e 'SELECT 1; SELECT SLEEP(0.1); SELECT 2' || fail "mariadb failed: $(cat "$tmp/err")"
stop 3
same "$server mysql SELECT SLEEP(0.1)" "$(rows)" 'not the slow query'
kill -TERM $server && wait $server || { cat "$home/log" >&2; fail 'the server failed'; }

cat >"$tmp/mysqld.cc" <<'C'
#include <unistd.h>
enum enum_server_command { COM_QUIT = 1, COM_QUERY = 3 };
union COM_DATA { struct { const char *query; unsigned length; } com_query; };
struct THD { long n; };
__attribute__((noipa)) bool dispatch_command(THD *thd, const COM_DATA *data, enum_server_command command)
{
	usleep(100000);
	return thd->n++ > 0 && data && command == COM_QUIT;
}
int main()
{
	static char c, text[] = "SELECT 1;SELECT 22;";
	THD thd = { 0 };
	COM_DATA data[] = { { { text, 9 } }, { { text + 9, 10 } } };

	return read(0, &c, 1) != 1 || dispatch_command(&thd, &data[0], COM_QUERY) || dispatch_command(&thd, &data[1], COM_QUERY) ||
	       !dispatch_command(&thd, &data[1], COM_QUIT);
}
C
g++ -O1 -o "$tmp/mysqld" "$tmp/mysqld.cc" || fail g++
mkfifo "$tmp/go"
"$tmp/mysqld" <"$tmp/go" & server=$!
exec 5>"$tmp/go"
awaits grep -q /mysqld /proc/$server/maps
start
echo >&5
wait $server || fail "the program failed"
mock=$server server=
stop 2
same "$(printf '%s mysql SELECT 1;\n%s mysql SELECT 22;' "$mock" "$mock")" "$(rows)" 'not the two queries'
