#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.vtimestamp
# needs: uprobes
# where: native
#
# vtimestamp within a time slice: most stretches of work of 100 to 500 us are measured to 5 us by the program's own clock (some
# are preempted), sleep is no CPU time, it never goes back, and the whole is what the kernel says of the thread.
. "$(dirname "$0")/../lib.sh"

plain 'clocks are compared'
cat >"$tmp/slices.d" <<'END'
self uint64_t v, cpu, asleep, first;
inline int64_t error = (int64_t)(vtimestamp - self->v) - (int64_t)arg0;

pid$target:a.out:begun:entry { self->v = vtimestamp; }
pid$target:a.out:worked:entry { @stretches["all"] = count(); @back["back"] = sum(vtimestamp < self->v); }
pid$target:a.out:worked:entry /error > -5000 && error < 5000/ { @stretches["exact"] = count(); }
pid$target:a.out:slept:entry /!arg0/ { self->asleep = vtimestamp; }
pid$target:a.out:slept:entry /arg0/ { @sleeps["all"] = count(); }
pid$target:a.out:slept:entry /arg0 && vtimestamp - self->asleep < 1000000/ { @sleeps["asleep"] = count(); }
pid$target:a.out:total:entry /self->cpu/ { printf("%d %d\n", vtimestamp - self->first, arg0 - self->cpu); }
pid$target:a.out:total:entry { self->cpu = arg0; self->first = vtimestamp; }
END
dtx -qs "$tmp/slices.d" -c "$t/slices 1000"
[ "$(grep -cE '(all|exact|asleep|back)' "$tmp/out")" = 5 ] || fail "rows are missing: $(cat "$tmp/out")"
awk '$1 == "all" { all[++n] = $2 } $1 == "exact" { exact = $2 } $1 == "asleep" { asleep = $2 } $1 == "back" { back = $2 }
	$1 ~ /^[0-9]+$/ && NF == 2 { told = $1; cpu = $2 }
	END { exit !(exact >= 0.6 * all[1] && asleep >= 0.9 * all[2] && all[1] == 1000 && all[2] == 100 && !back &&
		told > 0.98 * cpu && told < 1.02 * cpu) }' "$tmp/out" || fail "$(cat "$tmp/out")"
