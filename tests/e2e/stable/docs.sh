#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none cc
#
# docs/providers.md has the probes of stable.def with their arguments and places: its tables are made from the rows,
# by this script (DTX_ACCEPT=1 writes them), and every probe that this kernel has is listed with these arguments.
. "$(dirname "$0")/../lib.sh"

# The rows, a line each: PROBE provider|name|arguments|what, FROM or OR with the places.
cc -E -P -x c -D'PROBE(p,n,s,d)=@PROBE p|n|s|d @END' -D'FROM(b,...)=@FROM b @END' -D'OR(b,...)=@OR b @END' include/dtx/tables/stable.def |
	tr '\n' ' ' | sed 's/@END/\n/g; s/" *"//g' | sed -n 's/^ *@//p' | sed 's/"//g; s/ *| */|/g; s/ *$//' >"$tmp/rows"
[ "$(grep -c '^PROBE ' "$tmp/rows")" -ge 100 ] || fail "the rows are not found"

tables() {
	awk -F'|' '
		function end() {
			if (name != "") printf "| `%s` | %s | %s | %s |\n", name, args, what, places
			name = ""
		}
		/^PROBE / {
			end()
			sub(/^PROBE /, "")
			if ($1 != prov) printf "\n## %s\n\n| probe | args[] | fires when | made of |\n|---|---|---|---|\n", $1
			prov = $1; name = $2; what = $4; places = ""
			n = split($3, part, /, */); args = ""
			for (i = 1; i <= n; i++) if (part[i] != "") args = args (i > 1 ? ", " : "") "`" part[i] "`"
			if (args == "") args = "–"
			next
		}
		{
			other = sub(/^OR /, "") ? "; else " : sub(/^FROM /, "") && places != "" ? "; " : ""
			gsub(/:entry/, ""); gsub(/:return/, " (return)")
			if (index(places, $0) == 0) places = places other $0
		}
		END { end() }' "$tmp/rows"
}
start='<!-- tables of tests/e2e/stable/docs.sh -->'
if [ -n "${DTX_ACCEPT:-}" ]; then
	{ sed "\|^$start|,\$d" docs/providers.md && echo "$start" && tables; } >"$tmp/page" && cp "$tmp/page" docs/providers.md
fi
same "$(tables)" "$(sed "1,\|^$start|d" docs/providers.md)" "docs/providers.md is not what stable.def says; DTX_ACCEPT=1 $0 writes it"

[ "$(id -u)" = 0 ] || exit 0
# What -lv says of a probe is what the row says.
"$DTX" -lvn 'proc:::,sched:::,io:::,ip:::,tcp:::,udp:::,vminfo:::,sysinfo:::,mib:::' >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err" >&2; fail "not listed"; }
awk '$3 == "vmlinux" && NF == 4 { p = $2 ":" $4 } /^\t\targs\[/ { sub(/^\t\targs\[[0-9]+\]: /, ""); a[p] = a[p] (a[p] == "" ? "" : ", ") $0 }
	END { for (p in a) print p "|" a[p] }' "$tmp/out" | sort >"$tmp/listed"
[ "$(wc -l <"$tmp/listed")" -ge 50 ] || { cat "$tmp/out" >&2; fail "few probes are listed"; }
awk -F'|' '/^PROBE / { sub(/^PROBE /, ""); print $1 ":" $2 "|" $3 }' "$tmp/rows" | sort >"$tmp/said"
same '' "$(comm -23 "$tmp/listed" "$tmp/said")" "listed with other arguments than the row has"
