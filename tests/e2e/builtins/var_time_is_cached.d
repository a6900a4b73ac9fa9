/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.timestamp
/* All clauses of one firing see the same timestamp; the time of day is read each time. */
#pragma D option quiet
BEGIN { this->t = timestamp; this->w = walltimestamp; }
BEGIN { i = 0; i++; i++; }
BEGIN
{
	printf("%d %d\n", this->t == timestamp, this->w < walltimestamp);
	b = timestamp;
	printf("%d\n", walltimestamp / 1000000000 > 1600000000);
	exit(0);
}
END { printf("%d\n", timestamp > b); }
