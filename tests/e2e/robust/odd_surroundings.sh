#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare gcc
# where: native
#
# What a machine may lack or limit: no /proc, /sys, tracefs or BPF file system, few open files, little memory, small files, full disks,
# closed standard files, input without end, a filter of system calls. dtx works, or says in a sentence what is missing; never a wrong reason.
. "$(dirname "$0")/../lib.sh"

plain 'sanitizers need memory, files and /proc'
one='BEGIN { printf("one\n"); exit(0); }'
more='BEGIN { @a[execname] = count(); x[1] = 2; } syscall::getpid:entry { @ = count(); } tick-1ms { exit(0); } END { printf("one\n"); }'

# says STATUS TEXT COMMAND…: it ends so, and standard error has the text and no other line.
says() {
	local want=$1 text=$2 status
	shift 2
	timeout -k 1 20 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	[ $status = "$want" ] || fail "$*: status $status, not $want: $(cat "$tmp/out" "$tmp/err")"
	if [ -z "$text" ]; then [ ! -s "$tmp/err" ]; else grep -qF "$text" "$tmp/err"; fi || fail "$*: not '$text': $(cat "$tmp/err")"
	! grep -q '^libbpf:' "$tmp/err" || fail "libbpf speaks: $(cat "$tmp/err")"
	[ "$want" != 0 ] || grep -qx one "$tmp/out" || fail "$*: $(cat "$tmp/out")"
}
in_shell() { says "$1" "$2" bash -c "$3; exec \"\$@\"" bash "${@:4}"; }        # says, with a shell that prepares

# --- without ---------------------------------------------------------------------------------------------

without() { says "$1" "$3" unshare -m bash -c 'mount -t tmpfs none "$0" && exec "$@"' "$2" "${@:4}"; }
dtx=$(realpath "$DTX")
for folder in /sys/fs/bpf /sys/kernel/tracing /sys/kernel/debug /sys/kernel/btf /dev /proc; do without 0 $folder '' "$dtx" -qn "$more"; done
without 2 /sys 'the number of processors cannot be determined without /sys/devices/system/cpu/possible: mount -t sysfs' "$dtx" -qn "$one"
without 1 /proc 'processes cannot be found without /proc: mount -t proc nodev /proc' "$dtx" -qn 'pid1:a.out:main:entry'
without 1 /sys/kernel/btf 'the types of the kernel cannot be read here (no /sys/kernel/btf/vmlinux)' \
	"$dtx" -x cache=off -n 'syscall::read:entry { trace(fds[arg0].fi_name); }'
for kind in sysfs procfs; do
	unshare -m bash -c 'mount -t tmpfs none "$0" && exec "$@"' /${kind%fs} "$dtx" --doctor >"$tmp/out" 2>&1
	grep -q "^$kind  *no  *not mounted" "$tmp/out" || fail "the doctor does not miss $kind: $(cat "$tmp/out")"
done

# --- little --------------------------------------------------------------------------------------------------

for ((n = 4; n < 40; n += 3)); do
	timeout 20 bash -c 'ulimit -n $0; exec "$@"' $n "$DTX" -qn "$more" >"$tmp/out" 2>"$tmp/err" </dev/null && break
	grep -qiE 'files may be open|too many open files' "$tmp/err" || fail "$n open files: $(cat "$tmp/err")"
done
[ $n -gt 8 ] && [ $n -lt 40 ] || fail "$n open files: $(cat "$tmp/err")"
in_shell 0 '' 'ulimit -l 0' "$DTX" -qn "$more"
# From what just starts dtx to what is enough.
starts=
for ((kb = 16384; kb < 262144; kb += 2048)); do
	bash -c 'ulimit -v $0 && "$1" -V; exit' $kb "$DTX" >/dev/null 2>&1 || continue
	starts=${starts:-$kb}
	(ulimit -v $kb && exec timeout 20 "$DTX" -qn "$more") >"$tmp/out" 2>"$tmp/err" && break
	status=$?
	[ $status = 1 ] && grep -qiE 'memory' "$tmp/err" || fail "$kb kB of memory: status $status, $(cat "$tmp/err")"
done
[ $kb -gt "$starts" ] && [ $kb -lt 262144 ] || fail "$kb kB of memory: $(cat "$tmp/err")"
in_shell 1 "cannot write $tmp/small: File too large" 'ulimit -f 1' "$DTX" -o "$tmp/small" -qn 'BEGIN { printf("%5000d", 1); exit(0); }'
[ "$(stat -c %s "$tmp/small")" -le 1024 ] || fail 'the file is larger than the limit'
in_shell 1 'cannot write the output: No space left on device' 'exec >/dev/full' "$DTX" -qn 'tick-1ms { printf("more\n"); }'
says 1 'cannot write the output: No space left on device' "$DTX" -o /dev/full -qn 'tick-1ms { printf("more\n"); }'
says 1 'cannot write the output: No space left on device' bash -c '"$0" -l >/dev/full' "$DTX"
for option in --features --doctor --help -V; do
	says 1 'cannot write the output: No space left on device' bash -c '"$@" >/dev/full' bash "$DTX" $option
done
says 1 'cannot read the script /dev/zero: File too large' "$DTX" -qs /dev/zero

# --- closed -----------------------------------------------------------------------------------------------------

in_shell 1 'cannot write the output: Bad file descriptor' 'exec >&-' "$DTX" -qn "$one"
in_shell 0 '' 'exec <&-' "$DTX" -qn "$one"
in_shell 0 '' 'exec 2>&-' "$DTX" -qn "$one"
in_shell 1 '' 'exec <&- >&- 2>&-' "$DTX" -qn "$one"
in_shell 0 '' 'exec <&- 2>&-' "$DTX" -qn "$one" -c true
# Commands that dtx starts have the usual signals: the reader's end ends the writer, quietly.
says 0 '' "$DTX" -wqn 'BEGIN { system("yes one | head -n 1"); exit(0); }'
printf '#!/bin/sh\nyes one | head -n 1\n' >"$tmp/command" && chmod +x "$tmp/command"
says 0 '' "$DTX" -qn 'BEGIN { }' -c "$tmp/command"

# --- a filter of system calls: one that waits -------------------------------------------------------------------

cat >"$tmp/filter.c" <<'C'
#include <stddef.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#ifndef SYS_poll
#define SYS_poll SYS_ppoll
#endif
int main(int argc, char **argv)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_poll, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ppoll, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { 5, f };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &p))
		return 99;
	execv(argv[1], argv + 1);
	return 98;
}
C
gcc -o "$tmp/filter" "$tmp/filter.c" || fail 'the filter does not compile'
says 0 '' "$tmp/filter" "$dtx" -qn "$more"
says 0 '' "$tmp/filter" "$dtx" -qn 'BEGIN { printf("one\n"); }' -c true
