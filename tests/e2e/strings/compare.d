/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings compare bytewise as unsigned characters. */
#pragma D option quiet
BEGIN
{
	a = "abc"; b = "abd"; p = "ab";
	printf("%d %d %d %d %d %d\n", a == b, a != b, a < b, a <= b, a > b, a >= b);
	printf("%d %d %d\n", p < a, a < p, a == "abc");
	printf("%d %d\n", "\377" > "a", "Z" < "a");
	printf("%d %d\n", "" < "a", "" == "");
	exit(0);
}
