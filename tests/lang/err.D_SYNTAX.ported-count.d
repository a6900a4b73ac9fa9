/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of operands. */
BEGIN { trace($#); exit(0); }
