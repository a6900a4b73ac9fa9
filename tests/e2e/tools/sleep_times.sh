#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Sleep times: from sched:::sleep to the wakeup, by program. 30 naps of 10 ms are 30 sleeps of 10 ms or more. What was woken
# is known by its address.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option dynvarsize=16m
	syscall::*nanosleep:entry /progenyof($target) && execname == $$1/ { self->nap = 1; }
	syscall::*nanosleep:return { self->nap = 0; }
	sched:::sleep /self->nap/ { bedtime[curlwpsinfo->pr_addr] = timestamp; }
	sched:::wakeup /bedtime[args[0]->pr_addr]/ {
		this->us = (timestamp - bedtime[args[0]->pr_addr]) / 1000;
		@naps[args[1]->pr_fname] = count();
		@least[args[1]->pr_fname] = min(this->us);
		@total[args[1]->pr_fname] = sum(this->us);
		@how[args[1]->pr_fname] = lquantize(this->us / 1000, 0, 100, 10);
		bedtime[args[0]->pr_addr] = 0;
	}
	END {
		printa("%s naps %@d least %@d us total %@d us\n", @naps, @least, @total);
		printa(@how);
	}
END
dtx -s "$tmp/script.d" sleeper -c "$t/sleeper 10 30"
# One that is preempted on its way to sleep may be over when it runs again.
awk '$2 == "naps" { ok = $1 == "sleeper" && $3 >= 20 && $3 <= 30 && $5 >= 1000 && $8 >= $3 * 5000 } END { exit !ok }' "$tmp/out" ||
	{ cat "$tmp/out" >&2; fail "not the naps"; }
