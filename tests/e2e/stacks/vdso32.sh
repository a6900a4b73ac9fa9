#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# where: guest
# on: newest
#
# The vDSO of 32-bit programs is another one than that of dtx: its functions do not get the names of ours.
. "$(dirname "$0")/../lib.sh"

gcc -x c -m32 -O1 -fno-omit-frame-pointer -nostdlib -static -o "$tmp/prog" - <<'END' || fail "cannot compile"
typedef unsigned int u32;
static u32 vsyscall;
__attribute__((noinline)) static int parent(void)
{
	int r;
	__asm__ volatile("call *%2" : "=a"(r) : "a"(64), "m"(vsyscall) : "memory", "ecx", "edx");
	return r;
}
__attribute__((used)) void begin(u32 *sp)
{
	u32 *p = sp + 1 + *sp + 1;
	while (*p)
		p++;
	for (p++; *p; p += 2)
		if (*p == 32)                    /* AT_SYSINFO */
			vsyscall = p[1];
	for (int i = 0; i < 50; i++)
		parent();
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
__asm__(".globl _start\n_start: mov %esp,%eax\n push %eax\n call begin\n");
END
"$tmp/prog" 2>/dev/null || skip "the kernel runs no 32-bit programs"
for how in auto off; do
	dtx -x ustackunwind=$how -qn 'tracepoint:raw_syscalls:sys_enter /pid == $target/ { @[ustack(1)] = count(); }' -c "$tmp/prog"
	grep -qE '^ +\[vdso32\]`0x[0-9a-f]+$' "$tmp/out" || fail "$how: $(cat "$tmp/out" "$tmp/err")"
done
