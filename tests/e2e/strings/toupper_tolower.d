/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.tolower
/* toupper and tolower change letters only. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", toupper("Hello, World 1"));
	printf("[%s]\n", tolower("Hello, World 1"));
	printf("[%s]\n", toupper(""));
	printf("[%s]\n", tolower("[\\]^_`@{}"));
	printf("[%s]\n", toupper("az`{"));
	printf("[%s]\n", tolower("AZ@["));
	exit(0);
}
