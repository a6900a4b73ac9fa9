// SPDX-License-Identifier: BSD-2-Clause
// stop() is destructive: it may not follow speculate().
#pragma D option destructive
BEGIN { speculate(1); stop(); }
