// SPDX-License-Identifier: BSD-2-Clause
// The least string is one character and the NUL.
#pragma D option strsize=1
BEGIN { exit(0); }
