/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers in other bases, both ways; no base outside of 2 to 36. */
#pragma D option quiet
BEGIN
{
	printf("%s %s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(-5, 10), lltostr(5, 2));
	printf("%s %s %s %s\n", lltostr(0), lltostr(0, 8), lltostr(0, 16), lltostr(0, 2));
	printf("%d %d %d %d\n", strtoll("0x1f", 16), strtoll("  -17 x"), strtoll("777", 8), strtoll("zz", 36));
}
BEGIN { printf("%s\n", lltostr(5, 37)); }
BEGIN { printf("%d\n", strtoll("5", 1)); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
