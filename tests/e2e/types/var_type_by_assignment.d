/* SPDX-License-Identifier: BSD-2-Clause */
/* A name takes the type of the widest value; others are converted. */
#pragma D option quiet
BEGIN
{
	i = 1; l = 1L; c = (char)1; u = 1u; t = timestamp; a0 = arg0; s = "a"; e[1] = (short)2;
	printf("%d %d %d %d %d %d\n", sizeof(i), sizeof(l), sizeof(c), sizeof(u), sizeof(t), sizeof(a0));
	i = 0x100000002LL;
	c = 300;
	u = -1;
	e[2] = 0x12345;
	printf("%d %d %d %x\n", i, c, u, e[2]);
	exit(0);
}
