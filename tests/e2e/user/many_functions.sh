#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3 umulti
# where: native
# timeout: 120
#
# Who probes 20,000 functions of a file, reads their code in pieces and asks once which file it is: fewer calls of the system than functions.
. "$(dirname "$0")/../lib.sh"
python3 - "$tmp/many.s" <<-'END'
	import sys
	with open(sys.argv[1], 'w') as f:
	    for i in range(20000):
	        f.write(f'.globl fun_{i}\n.type fun_{i}, @function\nfun_{i}:\n\tpush %rbp\n\tpop %rbp\n\tret\n.size fun_{i}, . - fun_{i}\n')
	    f.write('.section .note.GNU-stack\n')
END
echo 'int main(void) { return 0; }' >"$tmp/main.c"
gcc -O1 "$tmp/main.c" "$tmp/many.s" -o "$tmp/many" || fail 'gcc'
for name in entry return; do
	"$DTX" -qn 'syscall:::entry /pid == $target/ { @ = count(); } END { printa("calls %@d\n", @); }' \
		-c "$DTX -x cache=off -n 'uprobe:$tmp/many:fun_*:$name { @ = count(); } BEGIN { exit(0); }'" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	grep -q 'matched 20001 probes' "$tmp/err" || fail "not all: $(cat "$tmp/err")"
	[ "$(value calls)" -lt 20000 ] || fail "$name: $(value calls) calls of the system for 20,000 functions"
done
