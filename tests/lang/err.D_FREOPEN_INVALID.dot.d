// SPDX-License-Identifier: BSD-2-Clause
// A single dot is not a file.
#pragma D option destructive
BEGIN { freopen("."); }
