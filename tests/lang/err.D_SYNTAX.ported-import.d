/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's import. */
import "x.bt";
BEGIN { exit(0); }
