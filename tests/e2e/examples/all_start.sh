#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
# timeout: 120
#
# Each tool of examples/ is compiled and verified on this kernel, or says what is missing.
. "$(dirname "$0")/../lib.sh"

# What must be given, as it stands on the command line.
operands() {
	case $1 in
	funccount | stackcount | trace) echo syscall::read:entry ;;
	argdist)                        echo syscall::read:entry arg2 ;;
	funclatency)                    echo vfs_read ;;
	calltree)                       echo read 'vfs_*' ;;
	esac
}

# A function that this kernel cannot probe, a tracepoint with other fields than later kernels have, a program that is not here.
missing='matches no probe|cannot be probed|Linux [0-9.]+|has no (member|argument)|is not a pointer|unknown name|args\[[0-9]\]|cannot (read|find)|no such (file|program)|does not exist'
n=0
for script in examples/*.d; do
	name=$(basename "$script" .d) n=$((n + 1)) target=()
	if grep -q 'target' "$script"; then target=(-c /bin/true); fi
	mapfile -t words < <(operands "$name" | tr ' ' '\n')
	if ! "$DTX" -eqs "$script" "${target[@]}" ${words[0]:+"${words[@]}"} >"$tmp/out" 2>"$tmp/err"; then
		grep -qE "$missing" "$tmp/err" || fail "$name: $(cat "$tmp/err")"
		echo "$name: $(grep -m 1 -E "$missing" "$tmp/err")"
		echo "$name" >>"$tmp/refused"
	fi
done
# Where functions and probes of the current kernels are there, nothing is refused but what needs a program.
if [ -e /sys/bus/event_source/devices/kprobe ] && [ "$(uname -r | cut -d. -f1)" -ge 6 ]; then
	! grep -vxE 'pythoncalls|bashreadline|sslsniff|(ext4|xfs|btrfs|nfs)slower' "$tmp/refused" 2>/dev/null || fail 'refused on a current kernel'
fi
[ $n -ge 60 ] || fail "$n tools"
