#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc syscall:close syscall:openat syscall:brk
# where: native
#
# A clause at several probes, or several clauses, give a variable or a key values of several types: it holds all of them. The file
# descriptor of close() has 32 bits without a sign, that of openat() a sign, the address of brk() 64 bits.
# truth: keys and variables that get arguments of several types | the value, whichever type was met first: narrow and wide, with a sign and without | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/p.c" <<'END'
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	syscall(SYS_openat, AT_FDCWD, "/no/such", 0);
	syscall(SYS_brk, 0x123456789abcul);
	syscall(SYS_close, 0xfffffff0u);
	return 0;
}
END
gcc -o "$tmp/p" "$tmp/p.c" || fail 'gcc'
mine='/pid == $target && (arg0 == 0x123456789abc || arg0 == 0xfffffff0 || arg0 == -100 || arg0 == 0xffffff9c)/'
of() { awk 'NF == 3 { print $1, $2 }' "$tmp/out" | sort | xargs; }
for order in 'close openat brk' 'openat close brk' 'brk openat close' 'brk close openat' 'close brk openat'; do
	one=$(for call in $order; do printf 'syscall::%s:entry,' "$call"; done)
	many=$(for call in $order; do printf 'syscall::%s:entry %s { @[probefunc, args[0]] = count(); } ' "$call" "$mine"; done)
	dtx -qn "${one%,} $mine { @[probefunc, args[0]] = count(); }" -c "$tmp/p"
	same 'brk 20015998343868 close 4294967280 openat -100' "$(of)" "the keys of one clause: $order"
	dtx -qn "$many" -c "$tmp/p"
	same 'brk 20015998343868 close 4294967280 openat -100' "$(of)" "the keys of three clauses: $order"
	dtx -qn "${one%,} $mine { x = args[0]; self->x = args[0]; v[probefunc] = args[0]; s[args[0]] = 1;
		printf(\"%s %d %d %d %d %d\n\", probefunc, x, self->x, v[probefunc], x < 0, s[-100] + s[0xfffffff0] + s[0x123456789abc] + s[0xffffff9c]); }" -c "$tmp/p"
	same $'brk 20015998343868 20015998343868 20015998343868 0 2\nclose 4294967280 4294967280 4294967280 0 3\nopenat -100 -100 -100 1 1' "$(sed '/^$/d' "$tmp/out" | sort)" "variables: $order"
done
