#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc g++
# timeout: 60
# truth: two functions of the source that the linker has joined (--icf) | count() by each name and by patterns, and their arguments | the calls of both, told; types are refused
#
# Functions with the same code are one in the program, with the names of both. Nobody knows which was called, so the types of one of
# them must not be taken for the other's.
. "$(dirname "$0")/../lib.sh"

for linker in gold lld ''; do
	[ -n "$linker" ] || skip 'no linker that joins functions'
	echo 'int main(void) { return 0; }' | gcc -x c -fuse-ld="$linker" -Wl,--icf=all -o "$tmp/try" - 2>/dev/null && break
done
cat >"$tmp/joined.c" <<'C'
struct one { long pad; int size, other; };
struct two { long pad; int other, size; };
#define FAR __attribute__((noipa))
FAR int first(struct one *p) { return p->size + 1; }
FAR int second(struct two *q) { return q->other + 1; }
FAR int alone(struct two *q) { return q->size + 2; }
int also(struct two *) __attribute__((alias("alone")));
int main(void)
{
	struct one o = { 1, 2, 3 };
	struct two t = { 4, 5, 6 };
	int s = 0;

	for (int i = 0; i < 5; i++)
		s += first(&o) + also(&t);
	for (int i = 0; i < 2; i++)
		s += second(&t) + alone(&t);
	return s == 1;
}
C
gcc -g -O1 -ffunction-sections -fuse-ld="$linker" -Wl,--icf=all -o "$tmp/joined" "$tmp/joined.c" || fail 'cannot compile'
J=uprobe:$tmp/joined
count() { # HOW-OFTEN TOLD DESCRIPTION
	dtx -qn "$3 { @ = count(); }" -c "$tmp/joined"
	same "$1" "$(awk 'NF { print $1 }' "$tmp/out")" "$3"
	grep -qF -- "$2" "$tmp/err" || fail "$3: not told '$2': $(cat "$tmp/err")"
}
count 7 "'first' and 'second' are one code here" "$J:first:entry"
count 7 "'second' and 'first' are one code here" "$J:second:return"
count 7 "not probed in joined: second: another function has the same code" 'pid$target:a.out:[fs][ie][rc]*:entry'
count 7 'calls of the others fire these probes, too: first (second)' 'pid$target:a.out:f[i]rst:entry'
refused "'second' has the same code" -n "$J:first:entry { trace(args[0]->size); }" -c "$tmp/joined"
refused "'first' has the same code" -n "$J:second:entry { trace(args.q->other); }" -c "$tmp/joined"
refused "'first' has the same code" -n "$J:second:return { trace(args[1]); }" -c "$tmp/joined"

# Several names of one function are nothing to tell, and its types are known.
dtx -qn "$J:also:entry { @ = sum(args[0]->size); } $J:al*:entry { @n = count(); } END { printa(\"%@d \", @); printa(\"%@d\n\", @n); }" -c "$tmp/joined"
same '42 7' "$(grep . "$tmp/out")" also
! [ -s "$tmp/err" ] || fail "also: $(cat "$tmp/err")"

# Assemblers write an entry for each name, and these are names of one function.
cat >"$tmp/asm.s" <<'S'
	.text
	.globl near, far
	.type near, %function
	.type far, %function
near:
far:
	nop
	ret
	.size near, .-near
	.size far, .-far
S
echo 'void near(void), far(void); int main(void) { near(); far(); near(); return 0; }' >"$tmp/calls.c"
gcc -g -c "$tmp/asm.s" -o "$tmp/asm.o" && gcc -g "$tmp/calls.c" "$tmp/asm.o" -z noexecstack -o "$tmp/asm" || fail 'cannot compile asm'
for d in near:entry far:return 'n*:entry'; do
	dtx -qn "uprobe:$tmp/asm:$d { @ = count(); }" -c "$tmp/asm"
	same 3 "$(awk 'NF { print $1 }' "$tmp/out")" "$d"
	! [ -s "$tmp/err" ] || fail "$d: $(cat "$tmp/err")"
done

# The names of C++ tell two functions apart without debugging information; a constructor has two names.
cat >"$tmp/pair.cc" <<'C'
#define FAR __attribute__((noinline, noclone))
struct A { int v; A(int n); };
FAR A::A(int n) : v(n) { __asm__ volatile(""); }
template <class T> FAR T next(T n) { __asm__ volatile("" ::: "memory"); return n + 1; }
int main()
{
	int s = 0;

	for (int i = 0; i < 3; i++)
		s += next(i) + (int)next((unsigned)i) + A(i).v;
	return s == 1;
}
C
g++ -O1 -ffunction-sections -fuse-ld="$linker" -Wl,--icf=all -o "$tmp/pair" "$tmp/pair.cc" || fail 'cannot compile C++'
dtx -qn 'pid$target:a.out:*next*:entry { @n = count(); } pid$target:a.out:*A*:entry { @a = count(); } END { printa("%@d ", @n); printa("%@d\n", @a); }' -c "$tmp/pair"
same '6 3' "$(grep . "$tmp/out")" 'C++'
grep -q 'not probed in pair: .*next.*: another function has the same code' "$tmp/err" && ! grep -q 'A::A' "$tmp/err" || fail "C++: $(cat "$tmp/err")"
