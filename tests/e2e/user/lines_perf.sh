#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The lines of a function and the variables at each, beside perf probe (-L, -V), without and with optimisation. Every
# line of perf's is one of dtx's, and every variable. What dtx has beyond: lines that share their first instruction
# with another line, of which perf shows one; globals; what is computed or constant there; copies of inlined functions.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"
command -v perf >/dev/null || skip "no perf here"

cat >"$tmp/shop.c" <<'C'
#include <stdio.h>
struct item { int price; long count; char name[16]; };
struct pair { int a, b; };
int total_sold = 7;

__attribute__((noinline)) long sell(struct item *it, int n, int tax)
{
	struct pair p = { n, n + 1 };
	int table[4] = { 1, 2, 3, n };
	long sum = 0;

	for (int i = 0; i < n; i++) {
		unsigned char inner = 250 + i;
		sum += it->price * it->count * tax / 100 + inner;
	}
	total_sold += n;
	sum += p.a + table[3];
	fprintf(stderr, "%ld\n", sum);
	return sum;
}

int main(int argc, char **argv)
{
	struct item pen = { 10, 3, "pen" };
	long got = sell(&pen, argc + 2, 20);

	fprintf(stderr, "%ld\n", got);
	return got == 0;
}
C
globals=' total_sold '
# perf's numbers count from where the function is declared; 0 is its entry.
perf_lines() { perf probe -x "$1" -L "$2" 2>"$tmp/err" | sed 1d | awk '/^ +[0-9]+ / { print $1 }'; }
perf_variables() { perf probe -x "$1" -V "$2:$3" 2>/dev/null | awk '/^\t\t/ { print $NF }' | sort -u; }
dtx_lines() { "$DTX" -ln "uprobe:$1:$2:@*" | awk -v d="$3" 'NR > 1 { sub(/.*@/, "", $NF); print $NF - d }'; }
# The variables that can be read: a reason follows the others.
dtx_variables() {
	"$DTX" -lvn "uprobe:$1:$2:@+$3" | sed -n 's/^\t*args\.\([A-Za-z_]*\): [^(]*$/\1/p' | sort -u
}
for o in 0 2; do
	x=$tmp/shop$o nlines=0 nvariables=0
	gcc -g -O$o -o "$x" "$tmp/shop.c" || fail gcc
	for f in sell main; do
		declared=$(grep -n -m 1 " $f(.*)\$" "$tmp/shop.c" | cut -d: -f1)
		dtx_lines "$x" $f "$declared" >"$tmp/dtx"
		perf_lines "$x" $f | grep -v '^0$' >"$tmp/perf"
		[ -s "$tmp/perf" ] || fail "perf shows no lines of $f: $(cat "$tmp/err")"
		same '' "$(comm -23 <(sort "$tmp/perf") <(sort "$tmp/dtx"))" "-O$o: lines of $f that only perf has"
		# Line 1 is where the body begins: for dtx its first statement, behind the function's prologue.
		[ $o = 2 ] || same '1' "$(comm -13 <(sort "$tmp/perf") <(sort "$tmp/dtx"))" "-O$o: lines of $f that only dtx has"
		while read -r line; do
			nlines=$((nlines + 1))
			perf_variables "$x" $f "$line" >"$tmp/perf_v"
			dtx_variables "$x" $f "$line" >"$tmp/dtx_v"
			nvariables=$((nvariables + $(wc -l <"$tmp/perf_v")))
			[ $o = 2 ] || sed -i "/^$(echo $globals)\$/d" "$tmp/dtx_v"
			# At a line with another's address perf shows none.
			[ -s "$tmp/perf_v" ] || continue
			if [ $o = 0 ]; then same "$(cat "$tmp/perf_v")" "$(cat "$tmp/dtx_v")" "variables at $f:$line"
			else same '' "$(comm -23 "$tmp/perf_v" "$tmp/dtx_v")" "-O$o: variables at $f:$line that only perf has"; fi
		done <"$tmp/perf"
	done
	{ [ $nlines -ge 6 ] && [ $nvariables -ge 15 ]; } || fail "-O$o: only $nlines lines and $nvariables variables of perf's"
done
# A line that only dtx has begins at the address of one that both have.
readelf --debug-dump=decodedline "$tmp/shop2" | awk '$2 ~ /^[0-9]+$/ && $3 ~ /^0x/ { print $3, $2 }' >"$tmp/table"
declared=$(grep -n -m 1 ' sell(.*)$' "$tmp/shop.c" | cut -d: -f1)
perf_lines "$tmp/shop2" sell | awk -v d="$declared" '{ print $1 + d }' >"$tmp/perf"
dtx_lines "$tmp/shop2" sell 0 >"$tmp/dtx"
more=$(comm -13 <(sort "$tmp/perf") <(sort "$tmp/dtx"))
for line in $more; do
	[ "$line" != $((declared + 1)) ] || continue
	awk -v line="$line" 'NR == FNR { has[$1] = 1; next }
		{ at[$1] = at[$1] " " $2; if ($2 == line) mine[$1] = 1 }
		END { for (a in mine) { n = split(at[a], l, " "); for (i = 1; i <= n; i++) if (l[i] in has) exit 0 } exit 1 }' \
		"$tmp/perf" "$tmp/table" || fail "line $line is at no address of a line of perf's: $(cat "$tmp/table")"
done
exit 0
