/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x rawbytes
/* Values and keys as dumps. */
BEGIN { trace(258); trace("ab"); exit(0); }
