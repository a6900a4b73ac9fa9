// SPDX-License-Identifier: BSD-2-Clause
// chill() after speculate() breaks the rule of speculations before it is found impossible.
#pragma D option destructive
BEGIN { speculate(1); chill(1); }
