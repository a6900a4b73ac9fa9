#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# uregs[] of what the kernel does not save when it is entered: the value that it keeps with the thread, without a fault.
# ERR is -1, and R_R1 is rbx.
# truth: uregs[R_DS], [R_ES], [R_GS], [R_TRAPNO] | the value | a program that loads 0x2b into them, and has a page fault
# needs: gcc
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || skip "registers of x86-64"
cat >"$tmp/segments.c" <<'C'
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static sigjmp_buf back;
static void on_fault(int sig) { siglongjmp(back, 1); }
int main(void)
{
	syscall(SYS_getpgid, 1);
	signal(SIGSEGV, on_fault);
	if (!sigsetjmp(back, 1))
		*(volatile int *)8 = 1;
	__asm__ volatile("mov %0, %%ds; mov %0, %%es; mov %0, %%gs" :: "r"(0x2b));
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);     /* saved when another thread runs */
	syscall(SYS_getpgid, 2);
	return 0;
}
C
gcc -o "$tmp/segments" "$tmp/segments.c" || fail gcc
dtx -qn '
syscall::getpgid:entry /pid == $target/
{
	printf("%d: %#x %#x %#x %#x\n", arg0, uregs[R_DS], uregs[R_ES], uregs[R_FS], uregs[R_GS]);
	printf("%d %d %d\n", arg0 == 2 ? uregs[R_TRAPNO] : 0, (int)uregs[R_ERR], R_R1 == R_RBX && R_R1 == 5);
}' -c "$tmp/segments"
[ ! -s "$tmp/err" ] || fail "$(cat "$tmp/err")"
same "1: 0 0 0 0
0 -1 1
2: 0x2b 0x2b 0 0x2b
14 -1 1" "$(grep . "$tmp/out")" registers
