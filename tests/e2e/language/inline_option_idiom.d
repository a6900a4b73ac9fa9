/* SPDX-License-Identifier: BSD-2-Clause */
/* A constant condition chooses a branch and drops the other unchecked, even an action. */
#pragma D option quiet
inline int OPT_on = 1;
inline int OPT_off = 0;
BEGIN
{
	OPT_on ? printf("on\n") : 1;
	OPT_off ? printf("never\n") : 1;
	OPT_off ? 1 : printf("off\n");
	OPT_on && OPT_off ? printf("never\n") : 1;
	OPT_on ? (OPT_off ? printf("never\n") : printf("nested\n")) : 1;
	OPT_off ? nosuch->member : 1;
	exit(0);
}
