#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# timeout: 60
#
# Functions that the kernel calls around BPF programs: those that can be probed count, those that cannot are named, and
# the machine goes on (Linux 6.1 lets a trampoline be put on __rcu_read_lock, which never returns).
. "$(dirname "$0")/../lib.sh"

probed=0 there=0
for function in __rcu_read_lock __rcu_read_unlock rcu_read_unlock_special migrate_disable migrate_enable; do
	grep -qE "^[0-9a-f]+ [tT] $function\$" /proc/kallsyms || continue
	there=$((there + 1))
	if "$DTX" -qn "fbt:vmlinux:$function:entry { @ = count(); } END { printa(\"%@d\\n\", @); }" -c "$t/reads 10:300" >"$tmp/out" 2>"$tmp/err"; then
		probed=$((probed + 1))
		[[ $function != __rcu* ]] || [ "$(cat "$tmp/out")" -ge 300 ] || fail "$function: $(cat "$tmp/out") calls, not 300 or more"
	else
		grep -q "$function.*\(protects\|does not let\|not probed\|no probe\)" "$tmp/err" || { cat "$tmp/err" >&2; fail "$function is refused without the reason"; }
		echo "$function: $(head -n 1 "$tmp/err")"
	fi
done
[ $there -gt 0 ] || skip 'this kernel has these functions only inside others'
[ $probed -gt 0 ] || fail "none could be probed"
