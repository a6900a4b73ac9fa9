#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
#
# Return probes of kernel functions have a limited number of slots: entries are returns and counted misses, also where the
# kernel's interface does not tell them (before 6.7).  The program's calls all begin and end while both probes are there; of
# others one may be under way when the run begins or ends, so that all bound the number from above.
# truth: returns that a return probe of the kernel missed | the program's entries without a return, and no more than those of all | entries, by a probe of their own
. "$(dirname "$0")/../lib.sh"

# try PROGRAM: one with entries and returns in @in and @out, by "is it the target".
try() {
	local in out others missed
	"$DTX" -x strict -qn "$1"' END { printa("%d in %@d\n", @in); printa("%d out %@d\n", @out); }' -c "$t/nappers 200 1500" >"$tmp/out" 2>"$tmp/err"
	status=$?
	in=$(awk '$1 == 1 && $2 == "in" { print $3 }' "$tmp/out") out=$(awk '$1 == 1 && $2 == "out" { print $3 }' "$tmp/out")
	others=$(awk '$1 == 0 { n += $2 == "in" ? $3 : -$3 } END { print n + 0 }' "$tmp/out")
	missed=$(awk '/^dtx: [0-9]+ firings? missed by/ { n += $2 } END { print n + 0 }' "$tmp/err")
	[ "${in:-0}" -ge $((200 - $(skipped))) ] || fail "$1: ${in:-0} entries: $(cat "$tmp/err")"
	[ $((in - out)) -le $((missed + $(skipped))) ] && [ "$missed" -le $((in - out + others + $(skipped))) ] ||
		fail "$1: $in entries, $out returns, $missed missed, entries of others without return $others: $(cat "$tmp/out" "$tmp/err")"
	sed -i '/links are being removed by the kernel/d' "$tmp/err"
	lost_only '.*missed by kernel probes? .*|.*skipped by the kernel .*' $status
	echo "$1: $in entries, $out returns, $missed missed"
}
# By probes of their own, and by one link for several functions where the kernel has it.
try 'rawfbt::'"$sys"'clock_nanosleep:entry { @in[pid == $target] = count(); } rawfbt::'"$sys"'clock_nanosleep:return { @out[pid == $target] = count(); }'
try 'fbt::'"$sys"'*nanosleep:entry { @in[pid == $target] = count(); } fbt::'"$sys"'*nanosleep:return { @out[pid == $target] = count(); }'
