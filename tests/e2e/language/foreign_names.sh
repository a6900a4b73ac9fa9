#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf cpp
# timeout: 60
#
# Each row of foreign.def: a program that uses the name is told what to write instead.
. "$(dirname "$0")/../lib.sh"

rows=0
while IFS='|' read -r kind name instead; do
	rows=$((rows + 1))
	program=$tmp/program.d options=-e
	case $kind in
	SYMBOL)   echo "BEGIN { trace(\`$name); }" ;;
	TYPE)     echo "BEGIN { this->p = ($name *)0; }" ;;
	MEMBER)   echo "BEGIN { trace(curthread->$name); }" ;;
	HEADER)   options="-e -C"; printf '#include <%s>\n#include <no/such/header.h>\nBEGIN { }\n' "$name" ;;
	FUNCTION) echo "fbt::${name//\*/_none}:entry { }"; case $name in *\**) continue ;; esac ;;
	MODULE)   echo "fbt:$name::entry { }" ;;
	CALL)     echo "syscall::$name:entry { }"; instead=syscall::$instead:entry ;;
	PROBE)    echo "sdt:::$name { }" ;;
	*)        fail "a kind without a test: $kind" ;;
	esac >"$program"
	# shellcheck disable=SC2086
	"$DTX" $options -s "$program" 2>"$tmp/err" && [ "$kind" != CALL ] && continue    # the kernel has it
	grep -qF -- "$instead" "$tmp/err" || fail "$kind $name: not told '$instead', but: $(cat "$tmp/err")"
done < <(sed -n 's/^OLD(\([A-Z]*\), *"\([^"]*\)", *"\(.*\)")$/\1|\2|\3/p' "$(dirname "$0")/../../../include/dtx/tables/foreign.def")
[ "$rows" -gt 150 ] || fail "only $rows rows"

# A type as a tag, and in a declaration.
"$DTX" -e -n 'BEGIN { trace(((struct vnode *)0)->v_path); }' 2>"$tmp/err" && fail "taken"
grep -qF "'vnode' is not a type on Linux: struct inode" "$tmp/err" || fail "$(cat "$tmp/err")"
printf 'self proc_t *p;\nBEGIN { }\n' >"$tmp/program.d"
"$DTX" -e -s "$tmp/program.d" 2>"$tmp/err" && fail "taken"
grep -qF "'proc_t' is not a type on Linux: struct task_struct" "$tmp/err" || fail "$(cat "$tmp/err")"

# A note only where no other probe of the program sees what programs call now.
"$DTX" -e -n 'syscall::open:entry, syscall::openat:entry { } syscall::stat*:entry { }' 2>"$tmp/err" || fail "refused"
same "" "$(cat "$tmp/err")" "notes"
"$DTX" -e -n 'syscall::openat:entry { trace(copyinstr(arg0)); }' 2>"$tmp/err" || fail "refused"
grep -qF "arg0 of openat is the number 'dfd': the path is arg1" "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" -e -n 'syscall::creat*:entry, syscall::open*:entry { @[execname, copyinstr(arg0)] = count(); }' 2>"$tmp/err"
same 1 "$(grep -cF "arg0 of openat is the number 'dfd': the path is arg1" "$tmp/err")" "arg0 of some of the calls: $(cat "$tmp/err")"
"$DTX" -e -n 'syscall::open*:entry /arg1 & O_CREAT/ { @[execname] = count(); }' 2>"$tmp/err" || fail "refused"
grep -qF "arg1 of openat is the address of 'filename': the flags are arg2" "$tmp/err" || fail "flags of some of the calls: $(cat "$tmp/err")"
"$DTX" -e -n 'syscall::openat:entry /arg2 & O_CREAT/ { } syscall::mmap:entry /arg0 & 0xfff/ { }' 2>"$tmp/err" || fail "refused"
same "" "$(cat "$tmp/err")" "notes on flags"
"$DTX" -e -n 'syscall::creat*:entry { }' 2>"$tmp/err" || fail "refused"
grep -qF "programs rarely make the system call creat now: use syscall::openat:entry" "$tmp/err" || fail "$(cat "$tmp/err")"

# Functions of stable probes are passed over; names that are types and probes here too.
for probe in proc::proc_exit:exit sched::resume:on-cpu io:genunix:bdev_strategy:start; do
	"$DTX" -e -n "$probe { }" 2>"$tmp/err" || fail "refused: $(cat "$tmp/err")"
	grep -q "stands for ${probe%%:*}:::${probe##*:}: probes of this provider have no function" "$tmp/err" || fail "$(cat "$tmp/err")"
done
"$DTX" -e -n 'boolean_t b; BEGIN { b = B_TRUE; trace((boolean_t)0); } sched:::remain-cpu { }' || fail "refused"
