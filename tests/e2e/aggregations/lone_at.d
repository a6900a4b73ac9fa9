/* SPDX-License-Identifier: BSD-2-Clause */
/* A lone @ is the aggregation _. */
#pragma D option quiet
BEGIN { @ = count(); @_ = count(); @ = count(); exit(0); }
END { printa("%@d\n", @); }
