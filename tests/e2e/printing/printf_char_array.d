/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.s
/* %s of a char array prints up to the NUL. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	printf("%d\n", strlen(curthread->comm) == strlen(execname));
	printf("%s|%.1s\n", curthread->comm, curthread->comm);
	exit(0);
}
