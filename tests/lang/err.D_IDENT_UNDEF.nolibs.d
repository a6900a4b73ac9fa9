/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.nolibs
/* run: -x nolibs */
BEGIN { trace(SIGKILL); exit(0); }
