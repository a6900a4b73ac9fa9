/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of END come last, then a newline. */
/* filter: cpu */
BEGIN { exit(0); }
END { trace("over"); }
