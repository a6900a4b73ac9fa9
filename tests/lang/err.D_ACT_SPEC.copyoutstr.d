// SPDX-License-Identifier: BSD-2-Clause
// copyoutstr() is destructive: it may not follow speculate().
#pragma D option destructive
BEGIN { speculate(1); copyoutstr("x", 1, 1); }
