#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: builtins.__buf builtins.__join builtins.__reg
# needs: uprobes btf
#
# What reads the memory and the registers of a program: buf() and str() of numbers, uptr(), join(), reg(), usermode; --unsafe.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'syscall::write:entry /pid == $target/ {
	printf("%r|%rh|%r|%c%c", buf(arg1, arg2), buf(arg1, 2), buf(uptr(arg1), arg2 - 1), *(char *)uptr(arg1), *uptr((char *)arg1 + 1));
	printf(" %d\n", usermode); exit(0); }' -c "$t/syscalls"
same 'five\x0a|66 69|five|fi 0' "$(head -n 1 "$tmp/out")" "bytes of what is written"

cat >"$tmp/run" <<'END'
/bin/echo one two  three >/dev/null
:
END
dtx -qn 'syscall::execve:entry /ppid == $target/ { join(arg1); join(arg1, ","); }' -c "sh $tmp/run"
same '/bin/echo one two three
/bin/echo,one,two,three' "$(grep . "$tmp/out")" "arguments of what is executed"
# A first text that is not in memory is no empty line.
dtx -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { join(arg1); } ERROR { printf("fault %d\n", arg4); }' -c "echo aaaaaaaabbbb"
grep -qx 'fault 1' "$tmp/out" || { cat "$tmp/out" >&2; fail "join() of what cannot be read"; }

dtx -qn "uprobe:$t/syscalls:main"' /pid == $target/ {
	printf("%d %d %d %d %d\n", reg("di") == arg0, reg("rsi") == arg1, reg("sp") == uregs[R_SP], reg("ip") == uregs[R_PC], usermode);
	exit(0); }' -c "$t/syscalls"
same '1 1 1 1 1' "$(head -n 1 "$tmp/out")" "registers at the entry of main()"

dtx --unsafe -qn 'BEGIN { system("echo done"); exit(0); }'
same done "$(head -n 1 "$tmp/out")" "--unsafe, which is -w"
