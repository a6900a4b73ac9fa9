#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# timeout: 60
#
# What -l lists can be enabled: a sample of each provider by number, and of a process many functions of libc, every
# instruction of some, and all probes of the program itself. Nothing of it is refused.
. "$(dirname "$0")/../lib.sh"

# enable WHAT DESCRIPTIONS OPTIONS…: all attached, none refused.
enable() {
	dtx -vqn "$2 { @ = count(); } BEGIN { exit(0); }" "${@:3}"
	# Whether a nop that this kernel makes a call of would do harm is seen when it is attached.
	grep 'not attached' "$tmp/err" | grep -v 'this kernel replaces the nop of five bytes' >&2 && fail "$1: listed, but not to be had"
	grep -q ' by ' "$tmp/err" || { cat "$tmp/err" >&2; fail "$1: nothing was attached"; }
}

# Up to 12 of each provider, at equal distances.
dtx -l
awk 'NR > 1 && $1 > 3 { provider[NR] = $2; id[NR] = $1; n[$2]++ }
	END {
		for (i = 2; i <= NR; i++) {
			p = provider[i]
			if (p == "") continue
			step = int((n[p] + 11) / 12)
			if (seen[p]++ % step == 0) print id[i]
		}
	}' "$tmp/out" >"$tmp/ids"
[ "$(wc -l <"$tmp/ids")" -gt 40 ] || fail "only $(wc -l <"$tmp/ids") probes in the sample"
"$DTX" -vqn "$(paste -sd , "$tmp/ids") { @ = count(); } BEGIN { exit(0); }" >"$tmp/out" 2>"$tmp/err" ||
	{ cat "$tmp/err" >&2; fail "the sample cannot be enabled"; }
grep 'not attached' "$tmp/err" >&2 && fail "listed, but not to be had"

dtx -l -c "$t/usdt 1"
[ "$(awk '$2 ~ /^app[0-9]+$/' "$tmp/out" | wc -l)" = 5 ] || fail "-l -c does not list the five probes of the program"

enable "functions of libc" 'pid$target:libc.so.6:s*:entry, pid$target:libc.so.6:mem*:return' -c "$t/usdt 1"
enable "instructions of libc" 'pid$target:libc.so.6:strn*:' -c "$t/usdt 1"
enable "the program's own probes" 'app$target:::' -c "$t/usdt 1"
