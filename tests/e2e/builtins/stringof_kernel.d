/* SPDX-License-Identifier: BSD-2-Clause */
/* stringof and string-compatible char arrays of kernel structures. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	printf("%d\n", stringof(curthread->comm) == execname);
	printf("%d\n", curthread->comm == execname);
	printf("%d\n", (string)curthread->comm == execname);
	printf("%d\n", stringof curthread->comm == execname);
	exit(0);
}
