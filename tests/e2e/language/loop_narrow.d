// SPDX-License-Identifier: BSD-2-Clause
// where: both
// A loop over two narrow globals and a variable of the thread.
#pragma D option quiet
short gc;
unsigned char u;
self long t;
BEGIN
{
	u = 254;
	for (this->i = 0; this->i < 3; this->i++) {
		if (gc) {
			if (self->t) {
				break;
			}
			self->t += 3;
			gc += 2;
		}
		u += 1;
		gc += 1;
	}
	printf("%d %d %d\n", gc, u, self->t);
	exit(0);
}
