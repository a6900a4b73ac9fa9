/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays are not printed as a whole. */
BEGIN { start[1] = 2; printa(start); exit(0); }
