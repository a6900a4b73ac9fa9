/* SPDX-License-Identifier: BSD-2-Clause */
/* An empty body prints the line without data; exit() prints one too. */
BEGIN { }
BEGIN { x = 1; }
BEGIN { exit(0); }
/* filter: cpu */
