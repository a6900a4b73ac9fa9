// SPDX-License-Identifier: BSD-2-Clause
// where: both
// Short loops within conditions, with conditions within them.
#pragma D option quiet
int a, b, d, e;
self long t;
BEGIN
{
	a = 1;
	if (a > 0) {
		for (this->i = 0; this->i < 5; this->i++) {
			if (a == this->i) {
				b += 2;
			} else {
				if (b > 10) break;
				d++;
			}
		}
		if (d) {
			if (b > 3) {
				for (this->j = 0; this->j < 4; this->j++) {
					if (this->j == e) b++;
					else if (d > 3) break;
					self->t += b;
				}
			} else {
				e = 3;
				for (this->k = 0; this->k < 6; this->k++) {
					if (e > 2) {
						d += this->k;
						if (d > 12) break;
					} else {
						continue;
					}
					e++;
				}
			}
		}
	} else {
		b = 3;
	}
	printf("%d %d %d %d %d\n", a, b, d, e, self->t);
	exit(0);
}
