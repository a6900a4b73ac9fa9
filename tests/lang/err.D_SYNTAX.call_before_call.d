/* SPDX-License-Identifier: BSD-2-Clause */
/* Not a cast of what follows. */
BEGIN { trace(1) trace(2); }
