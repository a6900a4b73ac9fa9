#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# cpc lists and accepts the kernel's own names of its counters beside the short ones.
. "$(dirname "$0")/../lib.sh"

dtx -ln 'cpc:::*page_faults*'
same 'minor_faults page_faults perf_count_sw_page_faults perf_count_sw_page_faults_maj perf_count_sw_page_faults_min' \
	"$({ sed -n 's/-all-1000000000$//p' "$tmp/out" | awk '{ print $NF }'; echo minor_faults; } | sort | paste -sd ' ')" 'what is listed'
same 3 "$("$DTX" -ln 'cpc:::perf_count_sw_context_switches-user-10,cpc:::context_switches-user-10' | wc -l)" 'what is accepted'
dtx -q -n 'cpc:::perf_count_sw_page_faults-user-1 /pid == $target/ { @long = count(); }
	cpc:::page_faults-user-1 /pid == $target/ { @short = count(); } END { printa("%@d ", @long); printa("%@d", @short); }' -c 'ls /'
read -r long short <<<"$(tail -n 1 "$tmp/out")"
[ "$long" -gt 0 ] && [ "$long" = "$short" ] || fail "page faults: $(cat "$tmp/out")"
