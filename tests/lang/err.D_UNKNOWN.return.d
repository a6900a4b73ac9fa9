// SPDX-License-Identifier: BSD-2-Clause
// row: act.return
// Overriding a kernel function is refused with the reason, whatever the probe.
#pragma D option destructive
BEGIN { return(-12); }
