/* SPDX-License-Identifier: BSD-2-Clause */
/* filter: cpu */
/* Bytes that are no text are dumped; UTF-8 and blanks are text. */
BEGIN { trace("\x01\x7f\xff"); trace("a\tb"); trace("\303\244"); exit(0); }
