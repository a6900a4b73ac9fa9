// SPDX-License-Identifier: BSD-2-Clause
// breakpoint() after speculate() breaks the rule of speculations before it is found impossible.
#pragma D option destructive
BEGIN { speculate(1); breakpoint(); }
