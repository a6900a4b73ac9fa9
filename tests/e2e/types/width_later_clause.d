// SPDX-License-Identifier: BSD-2-Clause
// A variable that is not declared holds all bits of its widest assignment, wherever that stands.
#pragma D option quiet
BEGIN { self->s = 0; x = 0; this->t = 0; a[1] = 0; total = 0; d = 0; e = 0; n = 1; }
BEGIN { e = d; d = x; printf("%d %d %d\n", sizeof(e), sizeof(total), sizeof(n)); }
BEGIN { self->s = timestamp; x = timestamp; this->t = timestamp; a[1] = timestamp; total += 0x700000000; n = 7; n++; }
BEGIN
{
	printf("%d %d %d %d\n", self->s == timestamp, x == timestamp, this->t == timestamp, a[1] == timestamp);
	printf("%x %d\n", total, n);
	@ = max(timestamp - self->s);
	exit(0);
}
