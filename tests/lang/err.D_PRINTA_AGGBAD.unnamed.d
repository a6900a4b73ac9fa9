/* SPDX-License-Identifier: BSD-2-Clause */
/* The aggregation without a name. */
BEGIN { printa(@); exit(0); }
