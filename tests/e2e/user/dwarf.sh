#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Arguments of user functions, typed and named by DWARF: in the program, in a separate file.
# on: newest
# timeout: 60
# needs: uprobes objcopy strip
# where: both
. "$(dirname "$0")/../lib.sh"
set -e
typed=$DTX_TRIGGERS/typed failed=0
dir=$tmp

# expect WANT PROGRAM CLAUSES (P stands for uprobe:PROGRAM, R for uretprobe:PROGRAM)
expect() {
	local want=$1 program=$2 got
	got=$("$DTX" -qn "$(sed "s,\\bP:,uprobe:$program:,g; s,\\bR:,uretprobe:$program:,g" <<<"$3")" -c "$program" 2>&1) || failed=1
	got=$(sed -E 's/dtx: warning: .* takes [0-9]+% of a CPU from the program .*//' <<<"$got") # an emulated processor
	if [ "$got" != "$want" ]; then printf '%s\ngave: %s\nnot:  %s\n' "$3" "$got" "$want" && failed=1; fi
}
members='P:handle { printf("%d %s %s %s %d", args[0]->id, args[0]->tag, item->name, args.item->next->name, item->next->tally); }'
expect "42 first a longer name the other 7" "$typed" "$members"
expect "because first -3 -1 -9" "$typed" 'P:handle { printf("%s %s %d %d %d", why, args.item->tag, colour, small, item->alias); }'
expect "1 -2 -5 6 | 5 100 -17 abcdef0123 | 6513249 abc" "$typed" 'P:handle {
	printf("%d %d %d %d | %d %d %d %x | %d %s", item->line.from.x, item->line.from.y, item->line.to[1].x,
	item->line.to[1].y, item->flags.low, item->flags.mid, item->flags.high, item->flags.wide,
	item->either.number, item->either.text); }'
expect "1 -2 200 -300 5 1099511627776 7 -8" "$typed" 'P:sum {
	printf("%d %d %d %d %d %d %d %d", a, b, c, d, e, f, seventh, args[7]); }'
expect "-97 43 the other" "$typed" 'R:sum { printf("%d ", retval); } R:handle { r = args[1]; } R:by_value {
	printf("%d %s", r->id, r->name); }
	BEGIN { r = (struct item *)0; }'
expect "10 -20 1 2 -3 99 3" "$typed" 'P:by_value { printf("%d %d %d %d %d %d ", s.a, s.b, t.a, t.b, args[1].c, last); }
	P:in_two { printf("%d", last); }'
expect "1 2 3" "$typed" 'P:in_two { printf("%d %d %d", p.a, args[0].b, last); }'
expect "8 -10" "$typed" 'R:twice { printf("%d %d", retval.a, args[1].b); }'
# A result in memory: not every machine says at the return where it is.
if [ "$MACHINE" = aarch64 ]; then
	refused 'the function has written it to memory' -n "uretprobe:$typed:thrice { trace(retval.a); }"
else
	expect "3 6 -9" "$typed" 'R:thrice { printf("%d %d %d", retval.a, retval.b, args[1].c); }'
fi
expect "11 2 0" "$typed" 'P:each { printf("%d %d %d", **numbers, count, h != NULL); }'
expect "96 43 42" "$typed" 'P:handle { printf("%d %d %d", sizeof (struct item), ((struct item *)arg0)->next->id,
	((struct item *)copyin(arg0, sizeof (struct item)))->id); }'
expect "second 123456789012" "$typed" 'P:handle { @[stringof(item->next->tag)] = sum(item->tally); } END { printa("%s %@d", @); }'
expect "-3 BLUE 1 0" "$typed" 'P:handle { printf("%d %s %d %d", colour, colour, colour == BLUE, colour == RED); }'
expect "200 PALE 100|40000 DARK 010|3000000000 BLACK 001|" "$typed" 'P:paint { printf("%u %s %d%d%d|", shade, shade,
	shade == PALE, shade == DARK, shade == BLACK); }'
expect "FAR NEAR 4294967298 " "$typed" 'P:reach { printf("%s ", far); }'
expect "16 3 3" "$typed" 'P:handle { printf("%d %d %d", sizeof (struct vmlinux`list_head), sizeof (struct pid`list_head),
	sizeof (struct typed`list_head)); }'

# A stripped program: its symbols and types are in a file of their own, named in the program.
cp "$typed" "$dir/bare"
objcopy --only-keep-debug "$typed" "$dir/bare.debug"
strip "$dir/bare"
mkdir "$dir/.debug"
objcopy --add-gnu-debuglink="$dir/bare.debug" "$dir/bare"
mv "$dir/bare.debug" "$dir/.debug"
expect "42 first a longer name the other 7" "$dir/bare" "$members"

# Compressed, as distributions have it.
objcopy --compress-debug-sections=zlib "$dir/.debug/bare.debug"
expect "42 first a longer name the other 7" "$dir/bare" "$members"

types=$("$DTX" -lvn "uprobe:$typed:handle:*" | grep 'args\[' | tr -s '\t\n ' ' ')
want=" args[0]: struct item *item args[1]: char *why args[2]: enum colour colour args[3]: signed char small args[1]: struct item * "
if [ "$types" != "$want" ]; then echo "listed: $types" && failed=1; fi

refused "'d' of type 'double' cannot be read: BPF programs have no floating-point registers" -en "uprobe:$typed:half { trace(d); }"
refused "of type 'double' cannot be read" -en "uretprobe:$typed:half { trace(retval); }"
if [ "$MACHINE" = aarch64 ]; then # what is not floating-point numbers alone is in general registers
	expect "1" "$typed" 'P:mixed { printf("%d", m.a); }'
else
	refused "a part of it is in floating-point registers" -en "uprobe:$typed:mixed { trace(m.a); }"
fi
refused "it or a part of it is in floating-point registers" -en "uprobe:$typed:halves { trace(h.a); }"
refused "no definition of 'struct hidden' is known" -en "uprobe:$typed:each { trace(h->x); }"
refused "did you mean 'id'" -en "uprobe:$typed:handle { trace(item->idd); }"
refused "save it there with self->item = args.item" -en "uretprobe:$typed:handle { trace(args.item); }"
strip -g -o "$dir/nameless" "$typed"
refused "its arguments have no names, arg0 ... arg9 are the raw values" -en "uprobe:$dir/nameless:handle { trace(item->id); }"
exit $failed
