#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# software events: every one is seen, a period counts by process; cpc names; what is listed
# can be enabled; what the machine lacks is said in one sentence.
# needs: perf
# where: both
# on: oldest
. "$(dirname "$0")/../lib.sh"
set -e
counted=$DTX_TRIGGERS/counted failed=0
err=$tmp/err
within='int n; syscall::getpgid:entry /pid == $target/ { on = 1; } syscall::getpid:entry /pid == $target/ { on = 0; }
	END { printf("%d\n", n); }'

# seen WANT WHAT PROBE OPTION…: how often the probe fires while the program does so
seen() {
	local want=$1 what=$2 probe=$3 got
	shift 3
	got=$("$DTX" -q "$@" -n "$within $probe /on && pid == \$target/ { n++; }" -c "$counted $what") || failed=1
	if [ "$got" != "$want" ]; then echo "$probe while $what: $got, not $want"; failed=1; fi
}
seen 100 "faults 100" software:page-faults:1
seen 100 "faults 100" software:::minor-faults
seen 100 "faults 100" cpc:::page_faults-all-1
seen 100 "faults 100" cpc:::page_faults-user-1
seen 0 "faults 100" cpc:::page_faults-kernel-1
seen 10 "faults 100" software:faults:10 --follow
if [ "$(nproc)" -gt 1 ]; then seen 6 "moves 6" software:cpu-migrations:1; fi

read -r least most n <<<"$("$DTX" -q -n "$within software:cs:1 /on && pid == \$target/ { n++; }" \
	-c "$counted switches 20" | tr '\n' ' ')"
if ! [ "$least" -ge 20 ] || [ "$n" -lt "$least" ] || [ "$n" -gt "$most" ]; then
	echo "context switches: $n, not $least to $most" && failed=1
fi

# A rate, and where it was.
"$DTX" -qn 'software:cpu-clock:999hz /arg0 || arg1/ { exit(0); }' -c "$DTX_TRIGGERS/spin" || failed=1

mapfile -t listed < <("$DTX" -lP software | awk 'NR > 1 { print $NF }')
[ ${#listed[@]} -gt 8 ] || { echo "listed: ${listed[*]}"; failed=1; }
for event in "${listed[@]}"; do
	"$DTX" -qn "software:::$event { } BEGIN { exit(0); }" || failed=1
done

refused "an event is NAME or NAME-COUNT" -n 'software:pagefaults:1 { }'
refused "a counter is EVENT-MODE-COUNT" -n 'cpc:::page_faults-1 { }'
if ! "$DTX" -n 'hardware:cycles:1000000 { }  BEGIN { exit(0); }' 2>"$err"; then
	refused "this machine gives Linux no performance counters (PMU)" -n 'hardware:cycles:1000000 { }'
	refused "this machine gives Linux no performance counters (PMU)" -n 'cpc:::cycles-all-5000 { }'
	refused "this machine gives Linux no performance counters (PMU)" -n 'hardware:L1-dcache-load-misses:10 { }'
	refused "this machine gives Linux no performance counters (PMU)" -n 'hardware:r01c2:10 { }'
fi
exit $failed
