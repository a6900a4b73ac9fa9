/* SPDX-License-Identifier: BSD-2-Clause */
// row: builtins.__argtext
/* pr_psargs is the argument text of the process. */
#pragma D option quiet
BEGIN { printf("%d %d\n", strstr(curpsinfo->pr_psargs, "dtx") != NULL, strlen(curpsinfo->pr_psargs) > 4); exit(0); }
