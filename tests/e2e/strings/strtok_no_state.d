/* SPDX-License-Identifier: BSD-2-Clause */
/* strtok(NULL) in a firing that has not begun one is a fault. */
#pragma D option quiet
BEGIN { printf("never\n"); printf("%s\n", strtok(NULL, ",")); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
