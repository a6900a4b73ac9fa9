/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.d
/* %d takes the size and sign of the argument. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", (char)-1, (short)-1, -1, -1LL);
	printf("%d %d %d %d\n", (uint8_t)-1, (uint16_t)-1, (uint32_t)-1, (uint64_t)-1);
	printf("%i %i\n", -5, 5u);
	exit(0);
}
