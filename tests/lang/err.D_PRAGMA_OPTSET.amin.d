// SPDX-License-Identifier: BSD-2-Clause
// The minimum stability of a program is NAME/DATA/CLASS.
#pragma D option amin=foo
BEGIN { exit(0); }
