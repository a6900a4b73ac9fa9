/* SPDX-License-Identifier: BSD-2-Clause */
/* A name of bpftrace for which D has other means. */
BEGIN { trace(getopt("n", 1)); exit(0); }
