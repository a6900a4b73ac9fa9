/* SPDX-License-Identifier: BSD-2-Clause */
/* Integer keys are converted to the declared type of the key. */
#pragma D option quiet
int a[char];
int b[uint8_t, string];
BEGIN
{
	a[1] = 5;
	printf("%d %d\n", a[257], a[2]);
	a[-1] = 6;
	printf("%d\n", a[255]);
	b[256, "x"] = 7;
	printf("%d\n", b[0, "x"]);
	exit(0);
}
