#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A bit-field of a packed struct may lie in nine bytes: all of it is read and stored, and its neighbours stay.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/bits.c" <<'C'
struct __attribute__((packed)) s {
	unsigned low : 3;
	unsigned long all : 64;
	long most : 60;
	unsigned end : 1;
	unsigned char last;
};
int take(struct s *s) { return s->last; }
int main(void) { struct s s = { 5, 0xfedcba9876543210, -0x7123456789abcde, 1, 77 }; return take(&s) - 77; }
C
gcc -g -o "$tmp/bits" "$tmp/bits.c"
dtx -qn "uprobe:$tmp/bits:take:entry
{
	printf(\"%x %x %d %x %x\n\", s->low, s->all, s->most == -0x7123456789abcde, s->end, s->last);
	this->t = *s;
	printf(\"%x %d\n\", this->t.all, this->t.most == -0x7123456789abcde);
	printf(\"%x\n\", this->t.all = 0x8123456789abcdef);
	this->t.most++;
	printf(\"%x %x %d %x %x\n\", this->t.low, this->t.all, this->t.most == -0x7123456789abcdd, this->t.end, this->t.last);
	this->t.most = -1;
	this->t.all = 0;
	printf(\"%x %x %d %x %x\n\", this->t.low, this->t.all, this->t.most, this->t.end, this->t.last);
}" -c "$tmp/bits"
sed -i "/^$/d" "$tmp/out"
diff - "$tmp/out" <<'OUT' || fail "not what was stored"
5 fedcba9876543210 1 1 4d
fedcba9876543210 1
8123456789abcdef
5 8123456789abcdef 1 1 4d
5 0 -1 1 4d
OUT
