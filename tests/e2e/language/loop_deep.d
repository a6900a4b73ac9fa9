// SPDX-License-Identifier: BSD-2-Clause
// where: both
// Loops that are nested more than once make a few hundred turns on every kernel.
#pragma D option quiet
int n, m, s;
BEGIN
{
	for (this->a = 0; this->a < 2; this->a++)
		for (this->b = 0; this->b < 2; this->b++)
			for (this->c = 0; this->c < 2; this->c++)
				for (this->d = 0; this->d < 3; this->d++)
					for (this->e = 0; this->e < 2; this->e++) {
						n++;
						s += this->a * this->e;
					}
	printf("%d %d\n", n, s);
}
BEGIN
{
	for (this->a = 0; this->a < 4; this->a++)
		for (this->b = 0; this->b < 4; this->b++) {
			if (this->b == 2) break;
			for (this->c = 0; this->c < 4; this->c++) {
				if (this->c == 1) continue;
				at[this->a, this->b] += this->c;
			}
		}
	printf("%d %d %d\n", at[0, 1], at[3, 0], at[3, 2]);
}
BEGIN
{
	for (;;) for (;;) for (;;) for (;;) for (;;) if (++m == 20) return;
}
BEGIN { printf("%d\n", m); exit(0); }
