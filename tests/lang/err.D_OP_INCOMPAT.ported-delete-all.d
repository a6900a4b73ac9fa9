/* SPDX-License-Identifier: BSD-2-Clause */
/* An array is not emptied at once. */
BEGIN { start[1] = 2; delete(start); exit(0); }
