/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.I
/* %I and %P take addresses and ports as text: the name of the host or service, or the text when there is none. */
#pragma D option quiet
BEGIN
{
	printf("[%I][%I][%20I]\n", "no address", "", "neither");
	printf("[%P][%P][%-8P]\n", "65533", "", "65533");
	exit(0);
}
