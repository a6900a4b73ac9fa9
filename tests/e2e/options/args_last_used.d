/* SPDX-License-Identifier: BSD-2-Clause */
/* Only the last operand must be used. */
/* args: 1 2 3 */
#pragma D option quiet
BEGIN { printf("%d\n", $3); exit(0); }
