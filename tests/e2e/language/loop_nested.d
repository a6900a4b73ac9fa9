// SPDX-License-Identifier: BSD-2-Clause
// where: both
// A loop within a loop; break leaves the inner one only.
#pragma D option quiet
BEGIN
{
	for (this->i = 0; this->i < 10; this->i++)
		for (this->j = 0; this->j < 10; this->j++) {
			if (this->j > this->i) break;
			n++;
		}
	printf("%d\n", n);
	exit(0);
}
