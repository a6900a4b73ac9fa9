/* SPDX-License-Identifier: BSD-2-Clause */
/* Digits in groups. */
BEGIN { exit(1_000); }
