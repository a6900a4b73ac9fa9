#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: taskset
#
# Run queue latency: from the wakeup of a thread until it has the CPU. A program that naps 50 times beside another that
# computes on the same CPU is woken 50 times, and each wakeup is followed by its time.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option dynvarsize=16m
	sched:::wakeup /args[1]->pr_fname == "counted"/ {
		woken[args[0]->pr_lwpid] = timestamp;
	}
	sched:::on-cpu /woken[tid] && progenyof($target)/ {
		@[execname] = quantize(timestamp - woken[tid]);
		@n[execname] = count();
		@worst[execname] = max(timestamp - woken[tid]);
		woken[tid] = 0;
	}
	END { printa(@); printa("%s woken %@d worst %@d\n", @n, @worst); }
END
cat >"$tmp/load" <<-END
	taskset -c 0 $t/spin 300 &
	taskset -c 0 $t/counted switches 50
	wait
END
dtx -s "$tmp/script.d" -c "bash $tmp/load"
read -r _ outer < <(grep -E '^[0-9]+ [0-9]+$' "$tmp/out")
awk -v least=40 -v most=$((outer + 10)) '$1 == "counted" && $2 == "woken" { ok = $3 >= least && $3 <= most && $5 > 0 && $5 < 10000000000 }
	END { exit !ok }' "$tmp/out" || { cat "$tmp/out" >&2; fail "not the wakeups"; }
same "$(awk '$1 == "counted" && $2 == "woken" { print $3 }' "$tmp/out")" "$(histogram counted | awk '{ n += $2 } END { print n }')" "the distribution"
