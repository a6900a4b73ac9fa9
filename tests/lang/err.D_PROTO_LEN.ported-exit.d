/* SPDX-License-Identifier: BSD-2-Clause */
/* exit() of bpftrace has no status. */
BEGIN { exit(); }
