// SPDX-License-Identifier: BSD-2-Clause
// breakpoint() is refused with the reason.
#pragma D option destructive
BEGIN { breakpoint(); }
