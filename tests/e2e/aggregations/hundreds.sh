#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# on: oldest
#
# 300 aggregations in one clause, keyed and keyless, of keys and values of several sizes: each has its value; clear() and
# trunc() take the one that they name; the same from an image.
. "$(dirname "$0")/../lib.sh"

# The clause runs twice, at BEGIN and at END: x is 1 and 2 there.
awk 'BEGIN {
	split("count();sum(x * I);min(x + I);max(x + I);avg(x * 2 + I);quantize(x);lquantize(x, 0, 100, 1)", f, ";")
	split(";[pid];[probename];[execname, pid, x];[x];[\"a\", 1, 2, 3, 4, 5, 6, 7, 8]", k, ";")
	printf "BEGIN, END {\n\tx += 1;\n"
	for (i = 0; i < 300; i++) {
		fun = f[i % 7 + 1]; gsub("I", i, fun)
		printf "\t@a%d%s = %s;\n", i, k[int(i / 7) % 6 + 1], fun
	}
	printf "}\nBEGIN { exit(0); }\nEND {\n\ttrunc(@a0); clear(@a1);\n"
	for (i = 0; i < 300; i++)
		if (i % 7 < 5 && int(i / 7) % 6 != 2 && int(i / 7) % 6 != 3 && int(i / 7) % 6 != 4)
			printf "\tprinta(\"%d %s\\n\", @a%d);\n", i, "%@d", i
	print "}"
}' >"$tmp/many.d"
awk 'BEGIN {
	for (i = 0; i < 300; i++) {
		n = i % 7; k = int(i / 7) % 6
		if (n > 4 || k == 2 || k == 3 || k == 4 || i == 0)
			continue
		print i, i == 1 ? 0 : n == 0 ? 2 : n == 1 ? 3 * i : n == 2 ? 1 + i : n == 3 ? 2 + i : 3 + i
	}
}' >"$tmp/want"

check() {
	same "$(cat "$tmp/want")" "$(grep -E '^[0-9]+ [0-9]+$' "$tmp/out")" "$1"
	# 85 histograms, each with a 1 and a 2
	same 170 "$(grep -cE '^ +[12] \|@+ +1 *$' "$tmp/out")" "rows of histograms, $1"
}
dtx -q -x aggsortkey -s "$tmp/many.d"
check 'in one clause'
[ -z "${DTX_GUEST:-}" ] || exit 0
dtx -q -s "$tmp/many.d" --image "$tmp/many.img"
dtx -r "$tmp/many.img"
check 'from an image'
