#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Numbers that D does not compute with, of 128 bits and floating-point ones, are kept, shown and taken apart; where they would have to be
# computed with, that is refused in words, with what to do instead.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/wide.c" <<'C'
struct s { __int128 small; unsigned __int128 large; float f; double d; long double l; _Complex float c; float v __attribute__((vector_size(8))); };
__attribute__((noinline)) int take(struct s *p) { return p->f > 1; }
int main(void)
{
	struct s s = { -5, (unsigned __int128)0x0123456789abcdef << 64 | 0xfedcba9876543210, 1.5, -2.25, 1e300L, 1.0f, { 3.5, 4 } };
	return take(&s) - 1;
}
C
gcc -g -o "$tmp/wide" "$tmp/wide.c"
dtx -qn "uprobe:$tmp/wide:take:entry
{
	printf(\"%x %x %d\\n\", ((uint64_t *)&p->large)[0], ((uint64_t *)&p->large)[1], *(long *)&p->small);
	self->s = *p;
	this->l = p->large;
	x[1] = self->s.d;
	printf(\"%d %d %.2f\\n\", sizeof(this->l), sizeof(unsigned __int128), x[1]);
	print(p);
}" -c "$tmp/wide"
same 'fedcba9876543210 123456789abcdef -5
16 16 -2.25
(struct s) {
.small = (__int128)-5,
.large = (__int128 unsigned)0x123456789abcdeffedcba9876543210,
.f = (float)1.5,
.d = (double)-2.25,
.l = (long double)1e+300,
.c = (complex float)00 00 80 3f 00 00 00 00,
.v = (float [2]) [
(float)3.5,
(float)4,
],
}' "$(sed -e 's/^ *//' -e '/^0x/d' -e '/^$/d' "$tmp/out")" 'not what the program has'

half='D computes with 64 bits: ((uint64_t *)&x)[0] is the lower half of x'
refused "$half" -en "uprobe:$tmp/wide:take:entry { trace((long)p->large); }"
refused "$half" -en "uprobe:$tmp/wide:take:entry { trace(p->large + 1); }"
refused "$half" -en "uprobe:$tmp/wide:take:entry { trace(p->small == 1); }"
refused "$half" -en "uprobe:$tmp/wide:take:entry { printf(\"%d\", p->small); }"
refused "'__int128' cannot be a key" -en "uprobe:$tmp/wide:take:entry { @[p->small] = count(); }"
refused "sum() aggregates integers, not '__int128'" -en "uprobe:$tmp/wide:take:entry { @ = sum(p->small); }"
refused 'D has no floating point arithmetic' -en "uprobe:$tmp/wide:take:entry { trace(p->d + 1); }"
