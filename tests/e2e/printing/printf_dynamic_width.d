/* SPDX-License-Identifier: BSD-2-Clause */
/* Width and precision may be arguments; a negative width means left. */
#pragma D option quiet
BEGIN
{
	w = 6; p = 3;
	printf("[%*d][%-*d][%.*d][%*.*d]\n", w, 42, w, 42, p, 42, w, p, 42);
	printf("[%*d][%0*d][%*s]\n", -w, 42, w, 42, -w, "ab");
	exit(0);
}
