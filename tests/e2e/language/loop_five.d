// SPDX-License-Identifier: BSD-2-Clause
// where: both
// needs: loop
// Five loops within each other; each break leaves one of them, return all.
#pragma D option quiet
int n, m;
BEGIN
{
	for (this->a = 0; this->a < 4; this->a++)
		for (this->b = 0; this->b < 4; this->b++)
			for (this->c = 0; this->c < 4; this->c++) {
				if (this->c == 3) break;
				for (this->d = 0; this->d < 4; this->d++)
					for (this->e = 0; this->e < 4; this->e++) {
						if (this->e > this->d) break;
						if (this->d == 1) continue;
						n++;
					}
			}
	printf("%d\n", n);
}
BEGIN
{
	for (;;) for (;;) for (;;) for (;;) for (;;) if (++m == 20) { n = 0; return; }
}
BEGIN { printf("%d %d\n", n, m); n = 0; }
/* 32 turns of each would be 33,554,432: all loops of a clause have 131,072 together. */
BEGIN { for (;;) { for (this->i = 0; this->i < 31; this->i++) for (this->j = 0; this->j < 31; this->j++) for (this->k = 0; this->k < 31; this->k++) n++; } }
BEGIN { printf("%d\n", n > 100000 && n < 131072); exit(0); }
ERROR { printf("%d %d\n", arg4, arg5); }
