/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	printf("%lx", 1ULL);
	exit(0);
}
