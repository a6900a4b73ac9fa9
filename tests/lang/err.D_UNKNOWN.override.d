// SPDX-License-Identifier: BSD-2-Clause
// row: builtins.override
// override(), as return(): overriding a kernel function is refused with the reason, whatever the probe.
#pragma D option destructive
BEGIN { override(-12); }
