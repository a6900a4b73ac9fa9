#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# beside: it compiles and starts programs, and waits for no clock
# where: native
# timeout: 120
# truth: syscall arguments, every call and parameter | printed, compared, summed, as a key, assigned, passed | the program's own calls
# truth: tracepoint:syscalls fields, every call and parameter | printed, compared, summed, as a key, assigned, passed | the program's own calls
#
# Arguments of all system calls have the width and sign of their C types, whatever the program left in the upper half
# of the registers: in each use, by syscall: and by tracepoint:syscalls:. Each call is made with the n-th argument
# 0x5a5a5a5afffffff0 + n, which nearly every call refuses; those that do not are made in a process of their own.
. "$(dirname "$0")/../lib.sh"
formats=/sys/kernel/tracing/events/syscalls
[ -r $formats/sys_enter_kill/format ] || skip 'this kernel has no events of system calls'

# Not called: what would wait, fork, or act on the machine.
apart=' pause vhangup sync fork vfork reboot rt_sigreturn '
printf '#include <asm/unistd.h>\n' | gcc -E -dM - | sed -nE 's/^#define __NR_([a-z0-9_]+) ([0-9]+)$/\1 \2/p' |
	while read -r name number; do
		[ -r "$formats/sys_enter_$name/format" ] && [[ $apart != *" $name "* ]] && echo "$name $number"
	done | sort >"$tmp/calls"
[ "$(wc -l <"$tmp/calls")" -ge 250 ] || fail "few system calls are known: $(wc -l <"$tmp/calls")"

{
	echo '#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define A(n) 0x5a5a5a5afffffff0UL + n
static const int numbers[] = {'
	sed 's/.* //; s/$/,/' "$tmp/calls"
	echo '};
int main(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); /* the child makes no other call */
		if (!pid) {
			syscall(numbers[i], A(0), A(1), A(2), A(3), A(4), A(5));
			__builtin_trap();
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}'
} >"$tmp/calls.c"
gcc -o "$tmp/all" "$tmp/calls.c" || fail 'the program does not compile'

# NAME N PARAMETER SIGN BITS of each parameter, by the types in the kernel's own headers.
while read -r name _; do
	sed -nE "s/^\tfield:(.*[ *])([a-zA-Z0-9_]+);.*offset:([0-9]+);.*/$name \3 \2 \1/p" "$formats/sys_enter_$name/format"
done <"$tmp/calls" | awk '
	BEGIN {
		split("int pid_t clockid_t timer_t mqd_t key_t rwf_t key_serial_t __s32", s32)
		split("unsigned_int unsigned u32 uid_t gid_t __u32 qid_t enum_landlock_rule_type", u32)
		split("long loff_t off_t __kernel_off_t", s64)
		split("unsigned_long size_t aio_context_t __u64 u64", u64)
		for (i in s32) of[s32[i]] = "s 32"
		for (i in u32) of[u32[i]] = "u 32"
		for (i in s64) of[s64[i]] = "s 64"
		for (i in u64) of[u64[i]] = "u 64"
		of["umode_t"] = "u 16"
	}
	$3 ~ /^common_|^__/ || $2 < 16 || $4 == "__data_loc" { next }
	{
		type = $4
		for (i = 5; i <= NF; i++) type = type "_" $i
		sub(/^const_/, "", type)
		if (type ~ /\*|^cap_user|^__sighandler_t$/) print $1, ($2 - 16) / 8, $3, "p 64"
		else if (type in of) print $1, ($2 - 16) / 8, $3, of[type]
		else print "not known: " type " " $1 "." $3 >"/dev/stderr"
	}' >"$tmp/params"
[ "$(wc -l <"$tmp/params")" -ge 700 ] || fail "few parameters are known: $(wc -l <"$tmp/params")"

value() { # SIGN BITS N: what argument N is
	case $1$2 in
	s32) echo $((-16 + $3)) ;;
	u32) echo $((4294967280 + $3)) ;;
	u16) echo $((65520 + $3)) ;;
	*)   echo $((0x5a5a5a5afffffff0 + $3)) ;;
	esac
}
while read -r name n param sign bits; do
	echo "$name $n $param $(value "$sign" "$bits" "$n") $sign$bits"
done <"$tmp/params" >"$tmp/values"

# A clause for each call, with its parameters in every use; pointers are only printed.
clauses() { # BEFORE AFTER: the probe is BEFORE NAME AFTER
	awk -v before="$1" -v after="$2" '
	function flush() {
		if (name != "")
			printf "%s%s%s /ppid == $target/ {\n%s\tprintf(\"%s%s\\n\"%s);\n%s}\n", before, name, after, set, name, format, values, sums
		set = format = values = sums = ""
	}
	$1 != name { flush(); name = $1 }
	{
		x = "args." $3
		if ($5 == "p64") {
			format = format " %d"
			values = values ",\n\t\t(uint64_t)" x
			next
		}
		v = "this->" $5 "_" $2
		set = set "\t" v " = " x ";\n"
		format = format " %d %d %d %d %d %s"
		values = values ",\n\t\t" x ", " x " == " $4 ", " x ($4 ~ /^-/ ? " < 0" : " > 0") ", " v " == " $4 ", (" x " ? " x " : 0) == " $4 ", lltostr((int64_t)" x ")"
		sums = sums "\t@s[\"" $1 "\", " $2 "] = sum(" x ");"
		sums = sums " @" $5 "[\"" $1 "\", " $2 ", " x "] = max(" x ");\n"
	}
	END {
		flush()
		print "END { printa(\"sum %s %d %@d\\n\", @s);"
		split("s32 u32 u16 u64 s64", types)
		for (i in types) print "printa(\"key %s %d %d %@d\\n\", @" types[i] ");"
		print "}"
	}' "$tmp/values"
}
awk '
	function flush() { if (name != "") print name line; line = "" }
	$1 != name { flush(); name = $1 }
	$5 == "p64" { line = line " " $4; next }
	{ line = line " " $4 " 1 1 1 1 " $4; print "sum " $1, $2, $4; print "key " $1, $2, $4, $4 }
	END { flush() }' "$tmp/values" | sort >"$tmp/wanted"

for way in 'syscall:: :entry' 'tracepoint:syscalls:sys_enter_ '; do
	clauses "${way% *}" "${way#* }" >"$tmp/clauses.d"
	dtx -q -s "$tmp/clauses.d" -c "$tmp/all" -x aggsize=16m -x bufsize=16m
	grep . "$tmp/out" | sort | diff "$tmp/wanted" - >"$tmp/diff" || fail "${way% *}: what is wanted (<), what came (>): $(head -40 "$tmp/diff")"
done
