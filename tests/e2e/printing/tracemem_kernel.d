/* SPDX-License-Identifier: BSD-2-Clause */
/* tracemem of a kernel structure given as an integer address. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	a = (uint64_t)&curthread->comm;
	tracemem(a, 3);
	exit(0);
}
