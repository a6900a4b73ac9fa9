#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# The end of a program is the last of its code: what a clause has done goes on there, and nothing jumps to it.
. "$(dirname "$0")/../lib.sh"

while read -r program; do
	dtx -x cache=off -S bpf -e -n "$program"
	sed -n '/^dtx_prog_0:/,/^\.Lfunc_end/p' "$tmp/out" >"$tmp/code"
	grep -q 'exit$' "$tmp/code" || fail "$program: no code: $(cat "$tmp/out")"
	! grep -q '^	goto' "$tmp/code" || fail "$program: a jump: $(cat "$tmp/code")"
done <<'END'
syscall::getppid:entry { @ = count(); }
syscall::getppid:return { @ = count(); }
syscall::getppid:entry /pid == 1/ { @ = count(); }
profile-97 /pid == 1/ { @ = count(); }
END
exit 0
