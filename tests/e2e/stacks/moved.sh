#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# A program that has moved its code to memory without a file, at its own place (as for huge pages), keeps names and unwind tables.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/main.c" <<'END_C'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
extern char etext;
extern void _init(void);
volatile long sum;
__attribute__((noipa)) static void leaf(void) { usleep(1); sum++; }
__attribute__((noipa)) static void middle(void) { leaf(); sum++; }
static void move(void)
{
	unsigned long from = (unsigned long)_init & ~4095ul, to = ((unsigned long)&etext + 4095) & ~4095ul;
	char *p = mmap(NULL, to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(p, (void *)from, to - from);
	mprotect(p, to - from, PROT_READ | PROT_EXEC);
	mremap(p, to - from, to - from, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)from);
}
int main(void) { move(); middle(); return 0; }
END_C
gcc -O2 -o "$tmp/prog" "$tmp/main.c" || fail 'cannot compile'
dtx -qn 'syscall::clock_nanosleep:entry /pid == $target/ { ustack(); }' -c "$tmp/prog"
# truth: stacks, code moved to memory without a file | the functions of the stack | the program's source
grep -o 'prog`[a-z_]*' "$tmp/out" | tr '\n' ' ' | grep -qx 'prog`leaf prog`middle prog`main prog`_start ' || fail "$(cat "$tmp/out")"
