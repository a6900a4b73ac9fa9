/* SPDX-License-Identifier: BSD-2-Clause */
/* The message names the clause, the probe and the fault; the exit status stays 0. */
/* filter: cpu */
int zero;
BEGIN { }
BEGIN { trace(1 / zero); }
BEGIN { exit(0); }
