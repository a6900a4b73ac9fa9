/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
// exit: 6
/* The last exit() gives the status, also that of END. */
BEGIN { exit(1); exit(2); }
END { printf("end\n"); exit(5); }
END { exit(6); }
