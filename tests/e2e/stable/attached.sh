#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 150
#
# Each stable probe that this kernel has can be enabled, with all its arguments in use; a counter counts up, and a wait
# is shorter than a minute.
. "$(dirname "$0")/../lib.sh"

# A clause a probe, which uses all its arguments, whole structs too.
clauses() {
	awk '
		function end() { if (probe != "") printf "%s {\n\t@ = count();\n%s}\n", probe, uses; uses = "" }
		!/^\t/ && NF >= 4 && $1 ~ /^[0-9]+$/ { end(); probe = $2 ":::" $NF }
		/^\t\targs\[/ {
			arg = $1; sub(/:$/, "", arg)
			use = "last = (uint64_t)" arg
			if ($0 ~ /_t \*/ && $0 !~ /spinlock_t/) use = "this->" $2 "_ = *" arg
			if ($0 ~ /string /) use = "text = " arg
			uses = uses "\t" use ";\n"
		}
		END { end() }'
}

all=(proc::: sched::: io::: ip::: tcp::: udp::: lockstat::: vminfo::: sysinfo::: mib:::)
# A guest, which is slow, has those that need functions or modules, and that this test does not meet elsewhere.
if [ -n "$DTX_GUEST" ]; then
	all=(lockstat:::adaptive-acquire-error 'sysinfo:::mod*,sysinfo:::namei' 'vminfo:::*pgin,vminfo:::maj_fault')
fi
for provider in "${all[@]}"; do
	"$DTX" -lvn "$provider" >"$tmp/list" 2>/dev/null || continue
	clauses <"$tmp/list" >"$tmp/all.d"
	grep -q '{' "$tmp/all.d" || fail "$provider: no probe is listed"
	echo 'ERROR { @faults = count(); } tick-500ms { exit(0); }' >>"$tmp/all.d"
	dtx -o "$tmp/printed" -b 16m -qs "$tmp/all.d"
done

[ -z "$DTX_GUEST" ] || exit 0
dtx -Zqn 'sysinfo:::, vminfo:::, mib::: /(int64_t)arg0 < 0/ { @["negative", probename] = count(); }
	lockstat:::*-spin, lockstat:::*-block /args[1] > 60000000000/ { @["too long", probename] = count(); }
	tick-1s { exit(0); }'
same '' "$(grep . "$tmp/out")" 'counters and waits'
