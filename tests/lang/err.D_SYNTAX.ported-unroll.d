/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's unroll. */
BEGIN { unroll(3) { @ = count(); } exit(0); }
