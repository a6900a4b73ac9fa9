/* SPDX-License-Identifier: BSD-2-Clause */
typedef int number_t; self int number_t;
BEGIN { exit(0); }
