/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.version
/* run: -x version=1.0 */
#pragma D binding "1.2" x
inline int x = 1;
BEGIN { trace(x); exit(0); }
