// SPDX-License-Identifier: BSD-2-Clause
// %P names the service of a port, which is a number or text; without a name it prints the port.
#pragma D option quiet
BEGIN
{
	printf("%P %P %P [%6P] [%-6P] %P %P %P\n", 80, 22, "443", 80, 22, (uint16_t)25, 65000, 65616);
	@[80] = count();
	printa("%P %@d\n", @);
	clear(@); trunc(@);
	exit(0);
}
