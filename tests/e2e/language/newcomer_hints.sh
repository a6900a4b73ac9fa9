#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# What is accepted and probably not meant is told, once, and what may be meant is not.
. "$(dirname "$0")/../lib.sh"

told() {        # PROGRAM TEXT…: each is on standard error
	local program=$1 text
	shift
	"$DTX" -e -n "$program" 2>"$tmp/err" || fail "refused: $program: $(cat "$tmp/err")"
	for text; do grep -qF -- "$text" "$tmp/err" || fail "not told of $program: $text, but: $(cat "$tmp/err")"; done
}
silent() {
	"$DTX" -e -n "$1" 2>"$tmp/err" || fail "refused: $1: $(cat "$tmp/err")"
	same "" "$(cat "$tmp/err")" "what is told of $1"
}

told 'BEGIN /pid & 1 == 1/ { }' "'==' binds tighter than '&': this is pid & (1 == 1)" "write (pid & 1) == 1"
told 'BEGIN { x = 4 != pid | 4; }' "this is (4 != pid) | 4" "write 4 != (pid | 4)"
silent 'BEGIN /(pid & 1) == 1 && (pid & (1 == 1))/ { }'
silent 'BEGIN /pid == 1 & tid == 1/ { }'
told 'BEGIN { x = 1; } tick-1s /x = 1/ { }' "'=' assigns: the condition is the value" "did you mean '=='?" "(x = 1)"
told 'BEGIN { self->x = 2; if (pid && (self->x == 1)) { } while (self->x = 0) { } }' "(self->x = 0)"
silent 'BEGIN { x = 0; } tick-1s /(x = 1)/ { }'
told 'syscall::openat:entry { @[args[1]] = count(); @[args[1]] = count(); }' "copyinstr(args[1]) is the text"
same 1 "$(grep -c note: "$tmp/err")" "notes of one expression"
told 'BEGIN { trace(curthread->fs->pwd.dentry->d_name.name); }' "stringof(curthread->fs->pwd.dentry->d_name.name) is the text"
silent 'BEGIN { @[stringof(curthread->fs->pwd.dentry->d_name.name)] = count(); trace((void *)curthread->fs->pwd.dentry->d_name.name); }'

# One mistake is one error, and what follows from it is none.
once() {
	"$DTX" -e -n "$1" 2>"$tmp/err" && fail "taken: $1"
	same 1 "$(grep -c error: "$tmp/err")" "errors of $1"
}
once 'BEGIN { trace(curthread->nosuch); x = curthread->nosuch; @h[x] = count(); self->y = x; trace(self->y); } END { printa(@h); trace(x); }'
once 'BEGIN { @h[nosuch] = count(); trace(nosuch); if (nosuch) { trace(1); } } END { clear(@h); printa("%@d", @h); }'
once 'syscall::read:entry, syscall::close:entry, syscall::exit:entry { trace(args[0]->nosuch); }'
