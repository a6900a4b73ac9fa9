// SPDX-License-Identifier: BSD-2-Clause
// There is no such version of D.
#pragma D option version=99
BEGIN { exit(0); }
