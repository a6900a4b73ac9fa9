#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Where a loop begins at a function's first instruction, its turns are no calls, in each thread, also when a handler of a signal calls
# the function. Go's functions that make their stack larger begin again: that is no call either.
# needs: uprobes gcc
# timeout: 60
# truth: functions whose loop begins at their entry | calls | the program's own calls
. "$(dirname "$0")/../lib.sh"

case $(uname -m) in
aarch64) cat >"$tmp/turns.s" <<'C'
	.globl turns, skips, counts, bits
	.type turns,@function
turns:	subs w0, w0, #1
	b.ne turns
	mov w0, #7
	ret
	.size turns,.-turns
	.type skips,@function
skips:	subs w0, w0, #1
	b.mi 1f
	b skips
1:	ret
	.size skips,.-skips
	.type counts,@function
counts:	nop
	sub x0, x0, #1
	cbnz x0, counts
	ret
	.size counts,.-counts
	.type bits,@function
bits:	sub x0, x0, #1
	tbz x0, #63, bits
	ret
	.size bits,.-bits
	.section .note.GNU-stack,"",@progbits
C
	;;
*) cat >"$tmp/turns.s" <<'C'
	.globl turns, skips, counts
	.type turns,@function
turns:	dec %edi
	jnz turns
	mov $7,%eax
	ret
	.size turns,.-turns
	.type skips,@function
skips:	sub $1,%edi
	js 1f
	jmp skips
1:	ret
	.size skips,.-skips
	.type counts,@function
counts:	nop
	mov %rdi,%rcx
	dec %rdi
	loop counts
	ret
	.size counts,.-counts
	.section .note.GNU-stack,"",@progbits
C
	;;
esac
cat >"$tmp/main.c" <<'C'
#include <pthread.h>
struct n { struct n *next; int v; };
int turns(int n), skips(int n), counts(long n);
__attribute__((noinline)) struct n *last(struct n *p) { while (p->next) p = p->next; return p; }
static void *thread(void *p)
{
	struct n a[5] = { { a + 1 }, { a + 2 }, { a + 3 }, { a + 4 } };
	int s = 0;

	for (int i = 0; i < 100; i++)
		s += turns(10) + skips(10) + counts(10) + last(a)->v;
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, thread, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
C
for how in -O2 -Os; do
	gcc -g -w $how -pthread -o "$tmp/turns" "$tmp/main.c" "$tmp/turns.s" || fail "$how"
	# shellcheck disable=SC2016
	dtx -qn 'pid$target:a.out:turns:entry,pid$target:a.out:turns:return,pid$target:a.out:skips:,pid$target:a.out:counts:entry,
		pid$target:a.out:last:entry,pid$target:a.out:last:return { @[probefunc, probename] = count(); }
		pid$target:a.out:last:entry { @[args[0]->v ? "other" : "first", "arg"] = count(); }
		END { printa("%s %s %@d\n", @); }' -c "$tmp/turns"
	same $'counts entry 300\nfirst arg 300\nlast entry 300\nlast return 300\nskips entry 300\nskips return 300\nturns entry 300\nturns return 300' \
		"$(grep -E ' (entry|return|arg) ' "$tmp/out" | sort)" "$how"
done
[ "$("$DTX" -ln "uprobe:$tmp/turns:turns:entry" | sed 1d | wc -l)" = 1 ] || fail "turns:entry is not one probe"

# A jump back on one bit of a register has a condition that is not computed: it is never taken for a call.
if [ "$(uname -m)" = aarch64 ]; then
	"$DTX" -qn "uprobe:$tmp/turns:bits:entry { }" 2>"$tmp/err" && fail 'turns on a condition that is not known are counted'
	grep -q 'turns cannot be told from calls' "$tmp/err" || fail "$(cat "$tmp/err")"
fi

command -v go >/dev/null || skip "no Go: the rest is right"
cat >"$tmp/main.go" <<'C'
package main

//go:noinline
func grow(n int) int {
	var room [4096]byte
	room[n%4096] = byte(n)
	if n == 0 {
		return int(room[0])
	}
	return grow(n-1) + int(room[n%4096])
}

func main() {
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func() { done <- grow(40) }()
	}
	for i := 0; i < 4; i++ {
		<-done
	}
}
C
GO111MODULE=off GOCACHE=${GOCACHE:-/tmp/go-cache} go build -o "$tmp/grow" "$tmp/main.go" 2>"$tmp/err" || skip "go build: $(cat "$tmp/err")"
# Counted by an aggregation: n++ from several CPUs at once is not atomic, and once was one too few.
dtx -qn 'pid$target:a.out:main.grow:entry { @[probename] = count(); @args[args[0]] = count(); } pid$target:a.out:main.grow:return { @[probename] = count(); }
	END { printa("%s %@d\n", @); clear(@args); }' -c "$tmp/grow"
same $'entry 164\nreturn 164' "$(grep -E '^(entry|return) ' "$tmp/out" | sort)" "Go"
exit 0
