/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's declaration of a map. */
let @m = lruhash(100);
BEGIN { exit(0); }
