#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Lines of the source as probes, and the variables in scope there by name: without and with optimisation, inlined
# functions, shadowed names, globals, structs, arrays, pointers; what is optimised out, and lines without code.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.c" <<'C'
#include <stdio.h>

struct item { int price; long count; char name[16]; };
struct pair { int a, b; };

int total_sold = 7;
static long hidden = 99, __UNIQUE_ID_hidden __attribute__((used)) = 1;

static inline __attribute__((always_inline)) long cost(const struct item *it, int tax)
{
	long base = it->price * it->count;
	long whole = base + base * tax / 100;

	return whole;
}

__attribute__((noinline)) long sell(struct item *it, int n, int tax)
{
	struct pair p = { n, n + 1 };
	int table[4] = { 1, 2, 3, n };
	char label[8] = "abc";
	long sum = 0;

	for (int i = 0; i < n; i++) {
		unsigned char n = 250 + i;
		sum += cost(it, tax) + n;
	}
	total_sold += n;
	hidden -= n;
	sum += p.a + table[3] + label[0];
	fprintf(stderr, "%ld\n", sum);
	return sum;
}

int main(int argc, char **argv)
{
	struct item pen = { 10, 3, "pen" };
	long got = sell(&pen, argc + 2, 20);

	got += cost(&pen, argc);
	fprintf(stderr, "%ld %ld\n", got, hidden);
	return got == 0;
}
C
for o in 0 2; do gcc -g -O$o -o "$tmp/shop$o" "$tmp/shop.c" || fail gcc; done
line() { grep -nF -m 1 -- "$1" "$tmp/shop.c" | cut -d: -f1; }

# expect WANT LEVEL FORMAT-AND-VALUES TEXT-OF-THE-LINE [LINES-BEHIND-IT]
expect() {
	local at
	at=$(($(line "$4") + ${5:-0}))
	dtx -qn "uprobe:$tmp/shop$2:shop.c:$at { printf($3); }" -c "$tmp/shop$2"
	[ "$(cat "$tmp/out")" = "$1" ] || fail "-O$2 $3 at line $at: $(cat "$tmp/out" "$tmp/err")"
}
expect "964 10 96" 0 '"%d %d %d", sum, total_sold, hidden' 'fprintf(stderr, "%ld\n", sum)'
expect "964 10 96" 2 '"%d %d %d", sum, total_sold, hidden' 'fprintf(stderr, "%ld\n", sum)'
expect "3 4 3 abc" 0 '"%d %d %d %s", p.a, p.b, table[3], label' 'fprintf(stderr, "%ld\n", sum)'
expect "3 4" 2 '"%d %d", p.a, p.b' 'struct pair p'
expect "10 3 pen 3 20" 0 '"%d %d %s %d %d", it->price, it->count, it->name, n, tax' 'total_sold += n'
expect "10 3 pen 3" 2 '"%d %d %s %d", it->price, it->count, it->name, args.n' 'struct pair p'
# The inner n hides the parameter, at each turn of the loop; the last line of main.
expect "0 250;1 251;2 252;" 0 '"%d %d;", i, n' 'sum += cost'
expect "994" 0 '"%d", got' 'return got'
expect "pen" 0 '"%s", pen.name' 'long got = sell'
# The line of the opening brace is after the function's prologue.
expect "10 3 20" 0 '"%d %d %d", it->price, n, tax' 'long sell' 1
# The program may be loaded anywhere; the process is given by its number.
at=$(line 'return sum')
dtx -qn "pid\$target:shop0:shop.c@$at { printf(\"%d\", sum); } pid\$target:shop0:sell:@$at { printf(\" %s %s\", probefunc, probename); }" \
	-c "$tmp/shop0"
[ "$(cat "$tmp/out")" = "964 sell shop.c@$at" ] || fail "pid: $(cat "$tmp/out" "$tmp/err")"

# A line of an inlined function fires in each copy: once in main, once or more in sell.
at=$(line 'long whole')
dtx -qn "uprobe:$tmp/shop0:shop.c:$at { printf(\"%d/%d \", base, tax); }" -c "$tmp/shop0"
[ "$(cat "$tmp/out")" = "30/20 30/20 30/20 30/1 " ] || fail "inlined: $(cat "$tmp/out" "$tmp/err")"
dtx -qn "uprobe:$tmp/shop0:cost:entry { @ = count(); } END { printa(\"%@d\", @); }" -c "$tmp/shop0"
[ "$(cat "$tmp/out")" = 4 ] || fail "inlined entry: $(cat "$tmp/out" "$tmp/err")"
dtx -lv -n "uprobe:$tmp/shop0:shop.c:$at"
for text in "shop.c:$at: long whole = base + base * tax / 100;" "2 places, 2 of them in other functions" \
	"args.base: long base" "args.it: struct item *it" "args.hidden: long hidden"; do
	grep -qF "$text" "$tmp/out" || fail "-lv has no '$text': $(cat "$tmp/out")"
done
if grep __UNIQUE_ID "$tmp/out"; then fail 'what macros of the kernel make is listed'; fi

# Lines counted from where the function is declared, which is 0: its entry.
sold=$(line "total_sold += n")
dtx -qn "uprobe:$tmp/shop0:sell:@+0 { printf(\"%s %d \", probename, n); }
	uprobe:$tmp/shop0:sell:@+$((sold - $(line "long sell("))) { printf(\"%s %d\", probename, n); }" -c "$tmp/shop0"
[ "$(cat "$tmp/out")" = "entry 3 shop.c@$sold 3" ] || fail "lines of sell: $(cat "$tmp/out" "$tmp/err")"

# Each line of a function; none of another one.
dtx -l -n "uprobe:$tmp/shop0:sell:@*"
[ "$(awk '$4 == "sell"' "$tmp/out" | wc -l)" -ge 10 ] || fail "lines of sell: $(cat "$tmp/out")"
! grep -q main "$tmp/out" || fail "lines of main: $(cat "$tmp/out")"

# Globals have their names in functions too, also in several, and also those of other files.
echo 'int elsewhere = 5; struct conf { int n; char name[8]; } conf = { 3, "conf" };' >"$tmp/other.c"
gcc -g -O2 -o "$tmp/both" "$tmp/shop.c" "$tmp/other.c" || fail gcc
dtx -qn "uprobe:$tmp/both:sell:entry { printf(\"%d %d %d %s %d|\", n, total_sold, conf.n, conf.name, args.elsewhere); }
	uprobe:$tmp/both:main:entry, uprobe:$tmp/both:sell:entry { printf(\"%d|\", hidden); }" -c "$tmp/both"
[ "$(cat "$tmp/out")" = "99|3 7 3 conf 5|99|" ] || fail "globals: $(cat "$tmp/out" "$tmp/err")"

# What cannot be: optimised out, no code there, no such file, no debugging information.
refused "'whole' cannot be read in uprobe:$tmp/shop2:cost:shop.c@$at: it is optimised out" -n "uprobe:$tmp/shop2:shop.c:$at { trace(whole); }" -c "$tmp/shop2"
refused "no statement begins at line 4 of shop.c: the nearest is at" -n "uprobe:$tmp/shop2:shop.c:4" -c "$tmp/shop2"
refused "no code of $tmp/shop2 comes from a file 'shoe.c'" -n "uprobe:$tmp/shop2:shoe.c:4" -c "$tmp/shop2"
refused "function 'sell' has no line of shoe.c" -n "uprobe:$tmp/shop2:sell:shoe.c@4" -c "$tmp/shop2"
refused "has no debugging information, so its lines are not known" -n "uprobe:/bin/true:true.c:4" -c "$tmp/shop2"
refused "a line has no return probe" -n "uretprobe:$tmp/shop2:shop.c@4" -c "$tmp/shop2"
refused "a line has no return probe" -n "kretprobe:tcp.c:1180" -c "$tmp/shop2"
refused "a function of the kernel is 'kprobe:MODULE:FUNCTION', a line of one" -n "kprobe:vmlinux:schedule:entry" -c "$tmp/shop2"
exit 0
