// SPDX-License-Identifier: BSD-2-Clause
// chill() is refused with the reason.
#pragma D option destructive
BEGIN { chill(1000); }
