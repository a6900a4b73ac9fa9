#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
# on: oldest
# timeout: 60
#
# Code made at run time, without frame pointers, whose call frame information is in memory beside it as LLVM leaves it there: stacks
# through it are whole once its table is made, and so are those of other code that comes to the same place. None is wrong before.
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = x86_64 ] || skip 'the code here is written for x86-64'

cat >"$tmp/code.c" <<'END'
long begin(long (*f)(long), long n);
__attribute__((noipa)) static long deep(long (*f)(long), long n)
{
	volatile char room[ROOM];
	room[ROOM / 2] = n;
	__asm__ volatile("mov $1, %%ebp" ::: "rbp", "rbx", "r12");
	return f(ROOM) + room[ROOM / 2];
}
__attribute__((section(".first"))) long begin(long (*f)(long), long n) { return deep(f, n) + 1; }
END
echo 'SECTIONS { . = 0; .eh_frame : { *(.eh_frame) LONG(0) } . = 0x1000; .text : { *(.first) *(.text*) } /DISCARD/ : { *(*) } }' >"$tmp/flat.ld"
for room in 40 168; do
	gcc -c -O2 -fPIC -fomit-frame-pointer -fno-stack-protector "$UNGUARDED" -DROOM=$room -o "$tmp/code.o" "$tmp/code.c" &&
	ld -T "$tmp/flat.ld" --oformat binary -o "$tmp/code.$room" "$tmp/code.o" || fail "cannot make the code"
done
gcc -x c -O2 -fomit-frame-pointer -o "$tmp/prog" - <<'END' || fail "cannot compile"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile long sum;
__attribute__((noipa)) long tick(long n) { sum += n; return n; }
__attribute__((noipa)) static char *make(const char *path, char *place)
{
	char *at = mmap(place, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (place ? MAP_FIXED : 0), -1, 0);
	int fd = open(path, O_RDONLY);
	if (at == MAP_FAILED || read(fd, at, 8192) < 4096 || mprotect(at, 4096, PROT_READ) || mprotect(at + 4096, 4096, PROT_READ | PROT_EXEC))
		_exit(9);
	close(fd);
	return at;
}
__attribute__((noipa)) static void run(char *code)
{
	for (int i = 0; i < 150; i++) {
		sum += ((long (*)(long (*)(long), long))(code + 4096))(tick, i);
		usleep(5000);
	}
}
int main(int argc, char **argv)
{
	char *code = make(argv[1], 0);
	run(code);
	run(make(argv[2], code));
	return 0;
}
END
dtx -qn 'pid$target:prog:tick:entry { @[arg0, ustack()] = count(); }' -c "$tmp/prog $tmp/code.40 $tmp/code.168"
awk '/^ +[0-9]+$/ { if (line != "") { n[line] += $1; line = "" } else line = $1; next }
	NF { sub(/.*`/, ""); sub(/[+]0x.*/, ""); sub(/.*0x.*/, "CODE"); line = line " " $1 } END { for (l in n) print n[l], l }' "$tmp/out" >"$tmp/lines"
for room in 40 168; do
	grep -qE "^[0-9]+ $room tick CODE CODE (run )?main .*_start$" "$tmp/lines" || fail "$room: no whole stack: $(cat "$tmp/lines" "$tmp/out")"
done
if grep -vE "^[0-9]+ (40|168) tick (CODE CODE (run )?main .*_start|.*\[incomplete:)$" "$tmp/lines"; then fail "a stack is wrong: $(cat "$tmp/out")"; fi
