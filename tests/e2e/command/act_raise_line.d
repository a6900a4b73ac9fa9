/* SPDX-License-Identifier: BSD-2-Clause */
// run: -w
// filter: cpu
/* raise() alone prints the line of its probe; beside something else it adds nothing. */
BEGIN { raise(0); }
BEGIN { raise(0); x = 1; }
END { trace("end"); }
BEGIN { exit(0); }
