#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Types in units of their own (gcc -fdebug-types-section): in DWARF 4 a section of its own, whose offsets
# are also those of other entries.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/units.c" <<'C'
struct deep { long z; char pad[40]; int w; };
struct in { int a, b; struct deep d; };
struct s { int x; struct in in; struct deep *p; long last; };
typedef struct in in_t;
int take(struct s *s, in_t *t) { return s->x + t->a; }
int main(void) { struct deep d = { 7, "", 8 }; struct s s = { 1, { 2, 3, { 4, "", 5 } }, &d, 6 }; return take(&s, &s.in) - 3; }
C
for version in 4 5; do
	gcc -gdwarf-$version -fdebug-types-section -o "$tmp/units$version" "$tmp/units.c"
	dtx -qn "uprobe:$tmp/units$version:take:entry { printf(\"%d %d %d %d %d %d %d\", s->x, s->in.b, s->in.d.w, s->p->w,
		s->last, t->b, sizeof(struct deep)); }" -c "$tmp/units$version"
	[ "$(cat "$tmp/out")" = "1 3 5 8 6 3 56" ] || fail "DWARF $version: $(cat "$tmp/out")"
done
