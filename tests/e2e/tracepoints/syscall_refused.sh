#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
#
# Calls that a seccomp filter answers have a return, with its error, and no entry; a path that is not in memory when
# execve begins is an error that says so.
# truth: syscall:::return, a call that a seccomp filter answers | how often, errno | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/refused.c" <<'C'
#include <stddef.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
int main(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { 4, f };
	char *path = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* never used */
	getppid();
	execl(path, "x", NULL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, 2, &p))
		return 1;
	for (int i = 0; i < 3; i++)
		if (syscall(SYS_getppid) != -1)
			return 2;
	return 0;
}
C
gcc -o "$tmp/refused" "$tmp/refused.c"
dtx -qn 'syscall::getppid:entry, syscall::getppid:return /pid == $target/ { @[probename, errno] = count(); }
	proc:::exec /pid == $target/ { printf("exec %s\n", args[0]); }
	END { printa("%s %d %@d\n", @); }' -c "$tmp/refused"
same 'entry 0 1
return 0 1
return 13 3' "$(grep -E '^(entry|return)' "$tmp/out" | sort)" "$(cat "$tmp/err")"
if grep -q '^exec ' "$tmp/out"; then fail 'a path that is not there has a value'; fi
grep -q 'invalid address' "$tmp/err" && grep -q 'what the program gives to the call may not be in memory yet' "$tmp/err" || fail "exec: $(cat "$tmp/err")"
dtx -qn 'tracepoint:syscalls:sys_enter_execve /pid == $target/ { trace(str(args->filename)); }' -c "$tmp/refused"
grep -q 'if they did this, the page may not be in memory yet: keep the address' "$tmp/err" || fail "a tracepoint: $(cat "$tmp/err")"
