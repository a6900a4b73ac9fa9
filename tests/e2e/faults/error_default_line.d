/* SPDX-License-Identifier: BSD-2-Clause */
/* ERROR prints lines as any other probe. */
/* filter: cpu */
int zero;
ERROR { }
BEGIN { x = 1 / zero; }
BEGIN { exit(0); }
