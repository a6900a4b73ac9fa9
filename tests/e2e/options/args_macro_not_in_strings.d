/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing is substituted inside string literals and character constants. */
/* args: 7 */
#pragma D option quiet
BEGIN { printf("$1 $$1 $pid %x %d\n", '$1', $1); exit(0); }
