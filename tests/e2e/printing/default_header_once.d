/* SPDX-License-Identifier: BSD-2-Clause */
/* The header comes before the first record, also when that is END's. */
/* filter: cpu */
BEGIN { x = 1; exit(0); }
END { trace(x); }
