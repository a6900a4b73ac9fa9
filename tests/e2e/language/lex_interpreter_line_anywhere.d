// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A line that begins with #! is discarded wherever it stands.
BEGIN { printf("a"); }
#! /nothing
BEGIN { printf("b\n"); exit(0); }
