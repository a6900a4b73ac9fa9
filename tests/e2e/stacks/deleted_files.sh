#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# where: native
# attack: programs that are made, run and removed during a long run | their space on the disk is given back, their functions have names
#
# A file whose stacks were taken is open until its symbols are read. One that was removed would keep its space for as long as dtx runs.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.c" <<'END'
#include <sys/resource.h>
#include <unistd.h>
__attribute__((noipa)) static int leaf(void) { return getpriority(1, 7117) + 1; }
int main(void) { for (;;) { leaf(); usleep(2000); } }
END
gcc -O1 -o "$tmp/prog" "$tmp/prog.c" || fail 'cannot compile'

"$DTX" -q -n 'BEGIN { printf("ready\n"); } syscall::getpriority:entry /arg1 == 7117/ { @[ustack(2)] = count(); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
trap 'kill $dtx $prog 2>/dev/null; rm -rf "$tmp"' EXIT
begun

links() { find /proc/$dtx/fd -lname "*/$1" -printf x 2>/dev/null | wc -c; } # one may be closed meanwhile
opened() { [ "$(links "removed$1")" -gt 0 ]; }
many=16
for ((n = 1; n <= many; n++)); do
	cp "$tmp/prog" "$tmp/removed$n"
	"$tmp/removed$n" &
	prog=$!
	awaits opened $n
	rm "$tmp/removed$n"
	{ kill $prog && wait $prog; } 2>/dev/null
done
left=$(links "*(deleted)")
[ "$left" -le 4 ] || fail "$left of $many files that were removed are open"
kill $dtx
wait $dtx
named=$(grep -oE '^ +removed[0-9]+`leaf\+' "$tmp/out" | sort -u | wc -l)
[ "$named" = $many ] || fail "$named of $many programs have a name for their function"
