#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: cc
#
# -lv says of a probe's name and arguments what the row of its provider in include/dtx/tables/stability.def promises: of the name
# the least of its parts. amin refuses what promises less.
. "$(dirname "$0")/../lib.sh"

cc -E -P -x c -D'STABILITY(who,p,m,f,n,a)=@who@p@n@m@f@a' include/dtx/tables/stability.def | sed 's/[" ]*@[" ]*/@/g; s/[" ]*$//; s/^@//' | grep . >"$tmp/rows"
[ "$(wc -l <"$tmp/rows")" = "$(grep -c '^STABILITY(' include/dtx/tables/stability.def)" ] || fail 'the rows are not found'

# least PART…: of each of the three, the least.
least() {
	printf '%s\n' "$@" | awk -F/ '
		BEGIN {
			split("Internal Private Obsolete External Unstable Evolving Stable Standard", s, " ")
			split("Unknown CPU Platform Group ISA Common", c, " ")
			for (i in s) rank[s[i]] = i
			for (i in c) rank[c[i]] = i
		}
		{ for (i = 1; i <= 3; i++) if (NR == 1 || rank[$i] < rank[min[i]]) min[i] = $i }
		END { print min[1] "/" min[2] "/" min[3] }'
}

# three_of TITLE: name/data/class below it, in the last list.
three_of() { awk -v title="$1" 'index($0, title) { on = 3; next } on { printf "%s%s", $NF, --on ? "/" : "" }' "$tmp/out"; }

n=0
while IFS=@ read -r providers own name module function args; do
	for provider in ${providers:-uprobe}; do
		case $provider in
		dtrace) probe=BEGIN ;; profile) probe=profile-97 ;; syscall) probe=syscall::read:entry ;; uprobe) probe=uprobe:libc.so.6:read ;;
		tracepoint | rawtp) probe=$provider:sched::sched_switch ;; *) probe=$provider::: ;;
		esac
		[ "$providers" ] || provider=uprobe
		"$DTX" -ln "$probe" 2>/dev/null | sed -n 2p >"$tmp/first"
		[ -s "$tmp/first" ] || continue
		parts=("$own" "$name")
		[ "$(cut -c18-36 "$tmp/first" | tr -d ' ')" = '' ] || parts+=("$module")
		[ "$(awk '{ print NF }' "$tmp/first")" -lt 5 ] || parts+=("$function")
		"$DTX" -lvn "$probe" 2>/dev/null | awk '/^ *ID / { next } /^ *[0-9]/ && n++ { exit } { print }' >"$tmp/out"
		same "$(least "${parts[@]}")" "$(three_of 'Probe Description Attributes')" "$provider: the name"
		same "$args" "$(three_of 'Argument Attributes')" "$provider: the arguments"
		n=$((n + 1))
	done
done <"$tmp/rows"
[ $n -ge 10 ] || fail "only $n providers"
"$DTX" -x amin=Stable/Stable/Common -en 'BEGIN { }' || fail 'amin refuses what promises as much'
"$DTX" -x amin=Stable/Stable/Common -en 'syscall::read:entry { }' 2>"$tmp/err" && fail 'amin accepts what promises less'
grep -q 'below the minimum Stable/Stable/Common' "$tmp/err" || fail "$(cat "$tmp/err")"
