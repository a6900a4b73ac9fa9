#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kmulti
#
# Return probes of kernel functions have a limited number of slots: entries are returns and counted misses.
# truth: returns that a return probe of the kernel missed, from Linux 6.7 on | returns and told misses are the entries | the entries, by a probe of their own
. "$(dirname "$0")/../lib.sh"

IFS=. read -r major minor _ < <(uname -r)
[ "$major" -gt 6 ] || [ "${minor%%[!0-9]*}" -ge 7 ] || skip "Linux $major.$minor does not tell how many it missed (6.7 does)"
dtx -qn 'fbt::'"$sys"'[cn]*:entry { @in = count(); } fbt::'"$sys"'[cn]*:return { @out = count(); }
	END { printa("%@d ", @in); printa("%@d\n", @out); }' -c "$t/nappers 400 1500"
read -r in out <"$tmp/out"
missed=$(awk '/^dtx: [0-9]+ firings? missed by/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ "$in" -ge 400 ] || fail "$in entries"
[ "$in" = $((out + missed)) ] || fail "$in entries, $out returns, $missed missed: $(cat "$tmp/err")"
[ "$missed" -gt 0 ] || echo "this kernel has a slot for each thread: nothing was missed"
