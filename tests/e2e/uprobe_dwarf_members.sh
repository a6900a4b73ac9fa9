#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Where a member is: DWARF 2 says it by an expression, later ones by a number.  Where a virtual base class is
# only the object itself says, so its members are not to be had.
# needs: uprobes gcc g++
. "$(dirname "$0")/lib.sh"

cat >"$tmp/old.c" <<'C'
struct in { int a, b; };
struct s { int x; struct in in[3]; int low : 3, mid : 7; long last; };
int take(struct s *s) { return s->x; }
int main(void) { struct s s = { 1, { { 2, 3 }, { 4, 5 }, { 6, 7 } }, 3, 50, 9 }; return take(&s) - 1; }
C
for version in 2 3 5; do
	gcc -gdwarf-$version -gstrict-dwarf -o "$tmp/old$version" "$tmp/old.c"
	got=$("$DTX" -qn "uprobe:$tmp/old$version:take:entry { printf(\"%d %d %d %d %d %d\", s->x, s->in[1].b, s->in[2].a,
		s->low, s->mid, s->last); }" -c "$tmp/old$version")
	[ "$got" = "1 5 6 3 50 9" ] || fail "DWARF $version: $got"
done

cat >"$tmp/virtual.cc" <<'C'
struct base { long id; };
struct mid : virtual base { long m; };
struct leaf : mid { long l; };
extern "C" int take(leaf *p) { return p->m; }
int main() { leaf a; a.id = 11; a.m = 13; a.l = 14; return take(&a) - 13; }
C
g++ -g -o "$tmp/virtual" "$tmp/virtual.cc"
got=$("$DTX" -qn "uprobe:$tmp/virtual:take:entry { printf(\"%d %d\", p->l, p->m); }" -c "$tmp/virtual")
[ "$got" = "14 13" ] || fail "virtual: $got"
"$DTX" -en "uprobe:$tmp/virtual:take:entry { trace(p->id); }" 2>"$tmp/err" && fail "the member of a virtual base was found"
grep -qF "'struct leaf' has no member 'id'" "$tmp/err" || fail "$(cat "$tmp/err")"
