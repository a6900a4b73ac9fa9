/* SPDX-License-Identifier: BSD-2-Clause */
/* filter: cpu */
/* Bytes that are no text are printed as they are. */
BEGIN { trace("\x01\x7f\xff"); trace("a\tb"); exit(0); }
