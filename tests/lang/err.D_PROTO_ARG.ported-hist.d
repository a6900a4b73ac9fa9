/* SPDX-License-Identifier: BSD-2-Clause */
/* Buckets of hist(). */
BEGIN { @ = hist(1, 9); exit(0); }
