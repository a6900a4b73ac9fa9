// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// exit: 0
BEGIN { printf("here\n"); exit(); }
BEGIN { printf("nor here\n"); }
