/* SPDX-License-Identifier: BSD-2-Clause */
// The letters say the type exactly: long is not long long, though both have 64 bits.
BEGIN
{
	printf("%lld", 1L);
	exit(0);
}
