/* SPDX-License-Identifier: BSD-2-Clause */
/* printf: integer conversions, flags, widths, precision, dynamic width. */
#pragma D option quiet
BEGIN
{
	printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
	printf("[%x] [%X] [%#x] [%o] [%#o] [%8x] [%.4x]\n", 255, 255, 255, 8, 8, 255, 255);
	printf("[%u] [%i] [%hd] [%ld] [%lld]\n", 1, -1, (short)-3, (long)-4, (long long)5);
	printf("[%c] [%c%c] [%*d] [%-*d]\n", 'a', 'b', 'c', 6, 42, 6, 42);
	printf("[%d] [%u]\n", (char)-1, (unsigned char)255);
	printf("100%%\n");
	printf("%p %x\n", (void *)0xdeadbeef, 0xffffffffffffffff);
	exit(0);
}
