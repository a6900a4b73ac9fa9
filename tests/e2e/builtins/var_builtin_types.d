/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of the built-in variables. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", sizeof(pid), sizeof(tid), sizeof(uid), sizeof(arg0));
	printf("%d %d %d\n", sizeof(timestamp), sizeof(walltimestamp), sizeof(id));
	printf("%d %d\n", sizeof(cpu), sizeof(errno));
	exit(0);
}
