#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions whose first instruction cannot have a probe are named when a pattern leaves them out, and refused alone; returns are there.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/first.s" <<'C'
	.globl add_one, vector, plain
	.type add_one,@function
add_one: lock incl (%rdi)
	mov $1,%eax
	ret
	.size add_one,.-add_one
	.type vector,@function
vector:	vmovd %edi,%xmm0
	mov $2,%eax
	ret
	.size vector,.-vector
	.type plain,@function
plain:	mov $3,%eax
	ret
	.size plain,.-plain
	.section .note.GNU-stack,"",@progbits
C
cat >"$tmp/main.c" <<'C'
int add_one(int *n), plain(void);
int main(void) { int n = 0; for (int i = 0; i < 3; i++) add_one(&n) + plain(); return 0; }
C
gcc -w -o "$tmp/first" "$tmp/main.c" "$tmp/first.s" || fail gcc
# shellcheck disable=SC2016
dtx -n 'pid$target:a.out::entry,pid$target:a.out::return { @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }' -c "$tmp/first"
same $'add_one return 3\nmain entry 1\nmain return 1\nplain entry 3\nplain return 3' "$(grep -E '^(add_one|plain|main) ' "$tmp/out" | sort)" "entries and returns"
grep -q 'not probed.*add_one:entry.*cannot set a probe on its first instruction' "$tmp/err" || fail "add_one is not named: $(cat "$tmp/err")"
grep -q 'not probed.*plain:entry' "$tmp/err" && fail "plain is named: $(cat "$tmp/err")"
if "$DTX" -qen "uprobe:$tmp/first:add_one:entry { }" 2>"$tmp/err"; then fail "add_one:entry alone is accepted"; fi
grep -q 'cannot set probes on the instruction that begins there' "$tmp/err" || fail "$(cat "$tmp/err")"

# Of many the first few are named; -v names all.
{
	cat "$tmp/first.s"
	for i in 1 2 3 4 5 6; do printf '\t.text\n\t.type many_%s,@function\nmany_%s: lock incl (%%rdi)\n\tret\n\t.size many_%s,.-many_%s\n' $i $i $i $i; done
} >"$tmp/many.s"
gcc -w -o "$tmp/many" "$tmp/main.c" "$tmp/many.s" || fail gcc
dtx -n 'pid$target:a.out::entry { @ = count(); }' -c "$tmp/many"
grep -q 'not probed in many: .*many_2:entry.* and [34] more (-v names them all): the kernel' "$tmp/err" || fail "not folded: $(cat "$tmp/err")"
dtx -v -n 'pid$target:a.out::entry { @ = count(); }' -c "$tmp/many"
grep -q 'not probed in many: .*many_3:entry, .*many_6:entry: the kernel' "$tmp/err" || fail "-v: $(cat "$tmp/err")"

# Looking for near names tells nothing of what it passes.
"$DTX" -qen "uprobe:$tmp/first:ad_one:entry { }" 2>"$tmp/err" && fail 'ad_one is accepted'
grep -q 'not probed' "$tmp/err" && fail "names that are only looked through are told: $(cat "$tmp/err")"
exit 0
