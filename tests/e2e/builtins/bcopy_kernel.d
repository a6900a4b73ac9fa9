/* SPDX-License-Identifier: BSD-2-Clause */
/* bcopy from a kernel structure. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	this->s = (char *)alloca(16);
	bcopy(curthread->comm, this->s, 16);
	printf("%d\n", stringof(this->s) == execname);
	exit(0);
}
