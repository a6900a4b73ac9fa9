/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -x nolibs */
BEGIN { trace(SIGKILL); exit(0); }
