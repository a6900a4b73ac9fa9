/* SPDX-License-Identifier: BSD-2-Clause */
/* Enumerators count on from the one before; they are global constants. */
#pragma D option quiet
enum level { LOW, MID = 5, HIGH, TOP = MID * 2 };
enum { ANON = -3 };
enum level v;
BEGIN
{
	v = HIGH;
	printf("%d %d %d %d %d\n", LOW, MID, HIGH, TOP, ANON);
	printf("%d %d %d\n", v, v == HIGH, v + 1);
	printf("%d %d\n", sizeof(enum level), sizeof(v));
	exit(0);
}
