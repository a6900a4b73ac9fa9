/* SPDX-License-Identifier: BSD-2-Clause */
/* A compound assignment or ++ of an unknown name creates an int64_t that starts at 0. */
#pragma D option quiet
BEGIN
{
	a += 5; b -= 1; c |= 6; d++; --e; f ^= 3; self->g += 2; this->h -= 3; i[1]++;
	printf("%d %d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, self->g, this->h, i[1]);
	printf("%d %d %d %d\n", sizeof(a), sizeof(d), sizeof(self->g), sizeof(i[1]));
	exit(0);
}
