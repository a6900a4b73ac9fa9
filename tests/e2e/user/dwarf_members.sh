#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Where a member is: DWARF 2 says it by an expression, later ones by a number.  Where a virtual base class is
# only the object itself says, so its members are not to be had.  And a struct that holds itself is damage.
# needs: uprobes gcc g++ readelf
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/old.c" <<'C'
struct in { int a, b; };
struct __attribute__((packed)) across { char one : 1; short all : 16; };
struct s { int x; struct in in[3]; int low : 3, mid : 7; long last; struct across across; _Complex float turn; };
int take(struct s *s) { return s->x; }
int main(void) { struct s s = { 1, { { 2, 3 }, { 4, 5 }, { 6, 7 } }, 3, 50, 9, { 0, -2 } }; return take(&s) - 1; }
C
for version in 2 3 5; do
	gcc -gdwarf-$version -gstrict-dwarf -o "$tmp/old$version" "$tmp/old.c"
	got=$("$DTX" -qn "uprobe:$tmp/old$version:take:entry { printf(\"%d %d %d %d %d %d %d\", s->x, s->in[1].b, s->in[2].a,
		s->low, s->mid, s->last, s->across.all); }" -c "$tmp/old$version")
	[ "$got" = "1 5 6 3 50 9 -2" ] || fail "DWARF $version: $got"
done
"$DTX" -en "uprobe:$tmp/old5:take:entry { printf(\"%f\", s->turn); }" 2>"$tmp/err" && fail "a complex number is printed as a double"
grep -qF "needs a float, double or long double" "$tmp/err" || fail "$(cat "$tmp/err")"

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

# Damaged: the type of the member m, in the struct b, is made b itself.
cat >"$tmp/ring.c" <<'C'
struct a { long x; };
struct b { struct a m; } b = { { 1 } };
int f(struct b v, int k, struct b *p) { return v.m.x + k; }
int main(void) { return f(b, 7, &b) - 8; }
C
gcc -gdwarf-4 -o "$tmp/ring" "$tmp/ring.c"
info=$(readelf --debug-dump=info "$tmp/ring")
section=$(readelf -SW "$tmp/ring" | sed -n 's/.* \.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\).*/\1/p')
b=$(sed -n '/DW_TAG_structure_type/{s/.*<\([0-9a-f]*\)>:.*/\1/;h;n;/: b$/{x;p}}' <<<"$info")
field=$(sed -n '/DW_AT_name *: m$/,/DW_AT_type/s/ *<\([0-9a-f]*\)> *DW_AT_type.*/\1/p' <<<"$info")
# shellcheck disable=SC2059 # the bytes, low one first
printf "\\x$(printf %02x $((0x$b & 255)))\\x$(printf %02x $((0x$b >> 8)))\\0\\0" |
	dd of="$tmp/ring" bs=1 seek=$((0x$section + 0x$field)) conv=notrunc status=none
[ "$(readelf --debug-dump=info "$tmp/ring" | grep -c "DW_AT_type *: <0x$b>")" -ge 3 ] || fail "the member's type was not changed"
dtx -qn "uprobe:$tmp/ring:f:entry { printf(\"%d\", args[1]); print(p); }" -c "$tmp/ring"
grep -q '^7' "$tmp/out" || fail "$(cat "$tmp/out")"
