#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root umulti
# where: native
#
# Of the BPF library a program reads the pieces that it needs: one of them for BEGIN alone, all for one that uses most of it.
. "$(dirname "$0")/../lib.sh"
plain 'the library is read by another process'
at="uprobe:$(readlink -f "$DTX"):LLVMCreateMemoryBufferWithMemoryRange:entry"
matches "$at" || skip 'the function that reads it has no symbol here'
# bytes PROGRAM: how many of the library are read for it.
bytes() {
	"$DTX" -qn "$at /pid == \$target/ { @ = sum(arg1); } END { printa(\"bytes %@d\n\", @); }" -c "$DTX -x cache=off -eqn '$1'" >"$tmp/out" 2>"$tmp/err" ||
		fail "$(cat "$tmp/err")"
	value bytes
}
begin=$(bytes 'BEGIN { exit(0); }')
most=$(bytes 'profile-97 { @[ustack(), stack(), execname] = count(); } syscall::read:entry { self->t = timestamp; printf("%d %s", arg0, copyinstr(arg1)); }')
[ "$begin" -gt 1000 ] || fail "BEGIN reads $begin bytes"
[ $((begin * 4)) -lt "$most" ] || fail "BEGIN reads $begin bytes, a program that uses most of the library $most"
