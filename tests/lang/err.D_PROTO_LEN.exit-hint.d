/* SPDX-License-Identifier: BSD-2-Clause */
/* One status, no more. */
BEGIN { exit(1, 2); }
