#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: nice chrt
#
# Priorities: the priority each program runs at and for how long; nice and real time.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	sched:::on-cpu /progenyof($target)/ { self->ts = timestamp; }
	sched:::off-cpu /self->ts/ {
		@time[execname, curlwpsinfo->pr_pri] = sum(timestamp - self->ts);
		@dist[execname] = lquantize(curlwpsinfo->pr_pri, 0, 170, 10);
		self->ts = 0;
	}
	END { printa("%s %d %@d\n", @time); printa(@dist); }
END
nice=$(nice)
cat >"$tmp/load" <<-END
	$t/spin 50
	nice -n 7 $t/spin 50
	chrt -f 30 $t/spin 50
END
dtx -s "$tmp/script.d" -c "sh $tmp/load"
most=$((nice + 7 < 19 ? nice + 7 : 19))
same "69
$((120 + nice))
$((120 + most))" "$(awk '$1 == "spin" && NF == 3 && $3 >= 25000000 { print $2 }' "$tmp/out" | sort -n)" "the priorities"
