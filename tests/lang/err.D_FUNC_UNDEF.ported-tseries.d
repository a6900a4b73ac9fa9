/* SPDX-License-Identifier: BSD-2-Clause */
/* The same, of aggregations. */
BEGIN { @ = tseries(1, 1s, 10); exit(0); }
