/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.3
/* Control lines that are ignored or only change positions. */
#pragma D option quiet
#!/usr/sbin/dtrace -s
#ident "version 1"
#pragma ident "version 2"
#pragma somebody else
#line 100 "other.d"
# 200 "third.d"
#pragma line 300
BEGIN
{
	printf("ok\n");
	exit(0);
}
