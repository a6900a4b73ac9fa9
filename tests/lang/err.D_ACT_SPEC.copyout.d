// SPDX-License-Identifier: BSD-2-Clause
// copyout() is destructive: it may not follow speculate().
#pragma D option destructive
BEGIN { speculate(1); copyout(alloca(1), 1, 1); }
