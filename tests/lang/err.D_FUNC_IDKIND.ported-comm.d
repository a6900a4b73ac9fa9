/* SPDX-License-Identifier: BSD-2-Clause */
/* comm of another process. */
BEGIN { trace(comm(1)); exit(0); }
