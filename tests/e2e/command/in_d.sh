#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf
# timeout: 120
#
# A line of bpftrace on the command line: one error, which shows the whole line in D.  That line is accepted.
. "$(dirname "$0")/../lib.sh"

# told LINE: the error of a line is in $tmp/err, and is the only one.
told() {
	"$DTX" -x argref -en "$1" 7 2>"$tmp/err" && fail "taken: $1"
	[ "$(grep -c ': error: ' "$tmp/err")" = 1 ] || fail "more than one error: $1
$(cat "$tmp/err")"
}

# becomes LINE IN_D
becomes() {
	told "$1"
	same "$2" "$(sed -n 's/.*in D this is: //p' "$tmp/err")" "$1: not the line in D"
	"$DTX" -x argref -en "$2" 7 || fail "not accepted: $2"
}

# cannot LINE WHY
cannot() {
	told "$1"
	grep -qF "$2" "$tmp/err" || fail "$1: not why: $(cat "$tmp/err")"
	if grep -F 'in D this is' "$tmp/err"; then fail "$1: cannot be said in D"; fi
}

b() { becomes "BEGIN { $1 }" "BEGIN { $2 }"; }

b '$x = 5; printf("%d\n", $x);' 'this->x = 5; printf("%d\n", this->x);'
b 'let $x: uint8 = 3; let $y; $y = $x; exit($y);' 'this->x = 3; this->y = this->x; exit(this->y);'
b '@ = count; @x[pid] = count;' '@ = count(); @x[pid] = count();'
b '@x = 5; @x += 2; @x--; print(@x);' 'x = 5; x += 2; x--; trace(x);'
b '@x["a"] = 1; printf("%d", @x["a"]); delete(@x, "a");' 'x["a"] = 1; printf("%d", x["a"]); x["a"] = 0;'
b '@x[1, 2] = 1; delete(@x, (1, 2)); delete(@x[3, 4]);' 'x[1, 2] = 1; x[1, 2] = 0; x[3, 4] = 0;'
b '@comm = 1; @string = 2;' 'my_comm = 1; my_string = 2;'
b '@n[comm]++; ++@m; @b += $1;' '@n[comm] = count(); @m = count(); @b = sum($1);'
b '@n = count(); if (@n > 3) { exit(); }' 'n++; if (n > 3) { exit(); }'
b '@n = sum(3); exit(@n);' 'n += (3); exit(n);'
b 'unroll(3) { printf("x"); }' 'printf("x"); printf("x"); printf("x");'
b 'unroll(9) { @ = count(); }' 'for (this->i = 0; this->i < 9; this->i++) { @ = count(); }'
b 'for ($i : 2..4) { printf("%d", $i); }' 'printf("%d", 2); printf("%d", 3);'
b '@x = 3; for ($i : 0..@x) { @[$i] = count(); }' \
	'x = 3; for (this->i = 0; this->i < x; this->i++) { @[this->i] = count(); }'
b '@a[1] = count(); for ($kv : @a) { print($kv); } clear(@a);' '@a[1] = count(); printa(@a); trunc(@a);'
b '@[ustack(perf, 3), kstack(raw)] = count();' '@[ustack(3), kstack()] = count();'
b 'print("a %d", 5);' 'printf("a %d", 5);'
b 'print(comm);' 'trace(comm);'
b '$s = str($1); printf("%s\n", $s);' 'this->s = $$1; printf("%s\n", this->s);'
b '$n = 1_000; exit(1e3 - $n);' 'this->n = 1000; exit(1000 - this->n);'
b '$x = "$y @z"; /* $z @z[tid] = 1; */ print($x);' 'this->x = "$y @z"; /* $z @z[tid] = 1; */ trace(this->x);'
becomes 'config = { stack_mode = perf } BEGIN { exit(); }' 'BEGIN { exit(); }'
becomes 'let @m = hash(10); BEGIN { exit(); }' 'BEGIN { exit(); }'
becomes 'import "x"; BEGIN { exit(); }' 'BEGIN { exit(); }'
becomes 'tracepoint:syscalls:sys_enter_read { @t[tid] = nsecs; } tracepoint:syscalls:sys_exit_read /@t[tid]/ { @ = hist(nsecs - @t[tid]); delete(@t[tid]); } END { clear(@t); }' \
	'tracepoint:syscalls:sys_enter_read { self->t = nsecs; } tracepoint:syscalls:sys_exit_read /self->t/ { @ = hist(nsecs - self->t); self->t = 0; } END {  }'
becomes 'BEGIN { @s = nsecs; } tick-1s /has_key(@k, tid)/ { @k[tid] = @s; zero(@s); }' \
	'BEGIN { s = nsecs; } tick-1s /(self->k != 0)/ { self->k = s; s = 0; }'

cannot 'BEGIN { $t = (1, "a"); printf("%d", $t.0); }' 'D has no tuples'
cannot 'BEGIN { print((1, 2)); }' 'D has no tuples'
cannot 'BEGIN { $i = 0; while ($i < 3) { printf("%d", $i); $i++; } }' 'a loop prints nothing'
cannot 'BEGIN { @m = max(pid); if (@m > 3) { exit(); } }' 'only counts and sums'
cannot 'BEGIN { @x[1] = 2; for ($kv : @x) { print($kv); } }' 'the entries of an array are not known'
cannot 'BEGIN { @x[1] = 2; clear(@x); }' 'an array is emptied element by element'
cannot 'fn f($a : int64) : int64 { return $a; } BEGIN { exit(); }' 'no functions of statements'

# What is still no program of D then is not shown: what else is wrong is told in its place.
unsaid() {
	"$DTX" -x argref -en "$1" 7 2>"$tmp/err" && fail "taken: $1"
	if grep -F 'in D this is' "$tmp/err"; then fail "shown, but not accepted: $1"; fi
}

unsaid 'BEGIN { trace($foo); exit(0); }'
unsaid 'BEGIN { trace($$foo); exit(0); }'
unsaid 'BEGIN { $x = 1; trace($x) exit(0); }'
unsaid 'BEGIN { @x["w"] &= lquantize(7, 0, 1024, 64); }'
unsaid 'BEGIN { x = 1; 0 = quantize(x); x = @; }'
unsaid 'probe begin { printf("%d\n", a b) }'

# A key of another type: the cast.
told 'BEGIN { x[(void *)1] = 1; y = x[arg0 + 1]; }'
grep -qF 'write (void *)(arg0 + 1)' "$tmp/err" || fail "$(cat "$tmp/err")"

# SystemTap: the whole program, or at least the probe.  Functions of the kernel are not here to compile, but the line is the same.
told 'probe kernel.function("vfs_read") { printf("%d", $count) }'
same 'fbt::vfs_read:entry { printf("%d", count); }' "$(sed -n 's/.*in D this is: //p' "$tmp/err")" 'a function'
told 'probe kernel.function("vfs_read").return { printf("%d\n", $return) exit() }'
same 'fbt::vfs_read:return { printf("%d\n", arg1); exit(0); }' "$(sed -n 's/.*in D this is: //p' "$tmp/err")" 'a return'
becomes 'probe timer.s(1) { exit() }' 'tick-1s { exit(0); }'
becomes 'probe begin { printf("hi %s\n", execname()) exit() } probe timer.ms(10) { printf("x\n") }' \
	'BEGIN { printf("hi %s\n", execname); exit(0); } tick-10ms { printf("x\n"); }'
becomes 'probe syscall.open, syscall.openat.return { printf("%d\n", pid()) }' 'syscall::open:entry, syscall::openat:return { printf("%d\n", pid); }'
becomes 'probe syscall.openat { printf("%s\n", user_string($filename)) }' 'syscall::openat:entry { printf("%s\n", copyinstr(filename)); }'
becomes 'probe kernel.trace("sched_switch") { printf("%d\n", tid()); }' 'tracepoint:::sched_switch { printf("%d\n", tid); }'
told 'probe process("/bin/sh").function("main") { exit() }'
same 'uprobe:/bin/sh:main:entry { exit(0); }' "$(sed -n 's/.*in D this is: //p' "$tmp/err")" 'a program'
cannot 'probe syscall.open { foreach (a in b) println(a) }' 'the probe is syscall::open:entry here'
cannot 'global x, y; probe timer.s(1) { x <<< 1 }' 'the probe is tick-1s here'
cannot 'probe vm.pagefault { exit() }' 'docs/guide/from-systemtap.md'
cannot 'probe never { exit() }' 'docs/guide/from-systemtap.md'
