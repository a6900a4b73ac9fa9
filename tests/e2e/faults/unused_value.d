// SPDX-License-Identifier: BSD-2-Clause
// A subroutine is called for the faults it may have, though nobody uses its value.
#pragma D option quiet
BEGIN { copyinstr(0); }
BEGIN { strlen(NULL); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
