/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of an aggregation as a number. */
BEGIN { @a = count(); x = (int)@a; exit(0); }
