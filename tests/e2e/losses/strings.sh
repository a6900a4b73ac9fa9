#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Strings cut to strsize are counted, strings that just fit and sizes the program chose are not.
. "$(dirname "$0")/../lib.sh"

cut() { awk '/^dtx: [0-9]+ strings? cut to strsize$/ { n += $2 } END { print n + 0 }' "$tmp/err"; }

# /dev/null has 9 bytes; the trigger opens it 25 times.
for size in 9:25 10:0 256:0; do
	dtx -qx strsize=${size%:*} -n 'syscall::open:entry /pid == $target/ { self->p = arg0; }
		syscall::open:return /self->p/ { @[copyinstr(self->p)] = count(); self->p = 0; }' -c "$t/syscalls 1"
	[ "$(cut)" = ${size#*:} ] || fail "strsize=${size%:*}: $(cut) cut, not ${size#*:}: $(cat "$tmp/err" "$tmp/out")"
done
dtx -qn 'syscall::open:entry /pid == $target/ { self->p = arg0; } syscall::open:return /self->p/ { trace(copyinstr(self->p, 4)); }' -c "$t/syscalls 1"
[ "$(cut)" = 0 ] || fail "a size of the program's own is counted: $(cat "$tmp/err")"
dtx -qx strsize=9 -n 'syscall::getpgid:entry /pid == $target/ { trace(strjoin("12345", "678")); trace(strjoin("12345", "6789")); }' \
	-c "$t/syscalls 1"
[ "$(cut)" = 50 ] || fail "strjoin: $(cut) cut, not 50: $(cat "$tmp/err")"
