// SPDX-License-Identifier: BSD-2-Clause
// What no BPF program may do is refused with the reason.
#pragma D option destructive
BEGIN { panic(); }
