/* SPDX-License-Identifier: BSD-2-Clause */
/* The same, added to. */
BEGIN { @t += 3; exit(0); }
