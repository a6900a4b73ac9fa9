/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock that is none. */
BEGIN { trace(nsecs(cpu)); exit(0); }
