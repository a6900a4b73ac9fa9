#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Large clauses: 100 clause-local variables in one expression, 100 arguments of a printf, 300 strings to choose from,
# a tuple of 60 keys, 180 associative arrays, 3000 statements; and what is beyond a BPF program is refused with a tag and the reason, by the compiler.
. "$(dirname "$0")/../lib.sh"

# each N TEXT SEPARATOR: TEXT N times, with 0, 1, … for each I in it.
each() { awk -v n="$1" -v text="$2" -v sep="$3" 'BEGIN { for (i = 0; i < n; i++) { t = text; gsub("I", i, t); printf "%s%s", i ? sep : "", t } }'; }

gives() {
	printf '%s\n' "$2" >"$tmp/p.d"
	dtx -q -s "$tmp/p.d"
	same "$1" "$(cat "$tmp/out")" "$3"
}
refused() {
	local status=0
	printf '%s\n' "$2" >"$tmp/p.d"
	"$DTX" -q -x errtags -s "$tmp/p.d" >"$tmp/out" 2>"$tmp/err" || status=$?
	same 1 $status "status of $3"
	grep -q "$1.*\[D_UNKNOWN\]" "$tmp/err" || fail "$3: $(head -c 300 "$tmp/err")"
}

gives 4950 "BEGIN { $(each 100 'this->vI = I;' ' ') printf(\"%d\", $(each 100 'this->vI' ' + ')); exit(0); }" '100 variables'
gives "$(each 100 I ' ')" "BEGIN { x = 0; printf(\"$(each 100 %d ' ')\", $(each 100 'x + I' ', ')); exit(0); }" '100 arguments'
gives s259 "BEGIN { x = 259; y = $(each 300 'x == I ? "sI" :' ' ') \"none\"; printf(\"%s\", y); exit(0); }" '300 strings'
gives 7 "BEGIN { a[$(each 60 I ', ')] = 7; printf(\"%d\", a[$(each 60 I ', ')]); exit(0); }" '60 keys'
gives 4498500 "BEGIN { $(each 3000 'x += I;' ' ') printf(\"%d\", x); exit(0); }" '3000 statements'
refused 'too long for a BPF program' "BEGIN { $(each 6000 'x += I;' ' ') exit(0); }" 'a long clause'
gives '90 60 s59' "BEGIN { $(each 60 'aI[1] = I; bI[pid, \"b\"] = \"sI\"; self->cI[pid] += 1; aI[1] = 0; aI[pid] += 2;' ' ') $(each 60 't += aI[1] + (aI[pid] == 2) + (bI[pid, \"b\"] == \"sI\"); u += self->cI[pid];' ' ')
	printf(\"%d %d %s\", t - 30, u, b59[pid, \"b\"]); exit(0); }" '180 associative arrays'
