/* SPDX-License-Identifier: BSD-2-Clause */
/* Associative arrays: tuple keys, string keys, reading absent elements, deletion by 0. */
#pragma D option quiet
BEGIN
{
	a["one", 1] = 10;
	a["two", 2] = 20;
	a["one", 1]++;
	s[1] = "first";
	printf("%d %d %d\n", a["one", 1], a["two", 2], a["three", 3]);
	a["two", 2] = 0;
	printf("%d %s [%d]\n", a["two", 2], s[1], s[2] == NULL);
	self->d[0] = 5;
	self->d[1] = 7;
	printf("%d\n", self->d[0] + self->d[1] + self->d[2]);
	exit(0);
}
