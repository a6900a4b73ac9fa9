/* SPDX-License-Identifier: BSD-2-Clause */
/* How many elements an array has is not known. */
BEGIN { start[1] = 2; trace(len(start)); exit(0); }
