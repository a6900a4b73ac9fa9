/* SPDX-License-Identifier: BSD-2-Clause */
/* A binding to a version that D has never had. */
#pragma D binding "99.0" x
int x;
BEGIN { trace(x); }
