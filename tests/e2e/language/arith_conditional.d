/* SPDX-License-Identifier: BSD-2-Clause */
/* Only the chosen branch of a conditional is evaluated; its type is the common one. */
#pragma D option quiet
BEGIN
{
	yes = 1; no = 0; a = 0; b = 0;
	yes ? a++ : b++;
	no ? a++ : b--;
	printf("%d %d\n", a, b);
	printf("%s %s\n", yes ? "yes" : "no", no ? "yes" : "no");
	printf("%d %d\n", sizeof(yes ? (char)1 : 2LL), sizeof(yes ? (char)1 : (char)2));
	printf("%d\n", yes ? (no ? 1 : 2) : 3);
	printf("%d\n", yes ? -1 : 1u);
	exit(0);
}
